/**
 * Tests the guarantees of the `Datagrams` interface: bytes and addresses do not change, faults are reported, and closing frees the port.
 */
import { Datagrams } from "@sourcewire/core/transport"
import type { Endpoint } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { buildCases, expect, scoped } from "./ConformanceCase.ts"
import { Inbox, openSocket, V4 } from "./Inbox.ts"

const V6: Endpoint = { address: "::1", port: 0 }

/** Time to wait for a datagram that must not arrive, in ms. */
const QUIET_MS = 100

/** Maximum number of datagrams that a transport queues while the system accepts no datagrams. */
const MAX_WAITING = 4096

const makeBytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) & 0xff)

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

const text = ({ address, port }: Endpoint): string => `${address} ${port}`

const roundTrip = (bind: Endpoint, size: number) =>
  scoped(function* () {
    const { open } = yield* Datagrams
    const family = bind.address.includes(":") ? 6 : 4
    const [here, there] = [new Inbox(), new Inbox()]
    const server = yield* open({ family, bind }, there)
    const client = yield* open({ family, connect: server.local }, here)
    const bytes = makeBytes(size)
    client.send(bytes, server.local.address, server.local.port)
    yield* there.until(() => there.arrivals.length > 0, "no datagram arrived")
    const [request] = there.arrivals
    expect(isSame(request!.bytes, bytes), "the bytes changed on the way")
    const from = text(request!.from)
    expect(from === `${bind.address} ${client.local.port}`, `came from ${from}, not ${text(client.local)}`)
    server.send(bytes, bind.address, client.local.port)
    yield* here.until(() => here.arrivals.length > 0, "no reply arrived")
    expect(isSame(here.arrivals[0]!.bytes, bytes), "the reply's bytes changed on the way")
    const repliedFrom = text(here.arrivals[0]!.from)
    expect(repliedFrom === text(server.local), `the reply came from ${repliedFrom}`)
    expect(here.faults.length + there.faults.length === 0, "reported a fault")
  })

const silently = (inbox: Inbox, what: string) =>
  Effect.map(Effect.sleep(QUIET_MS), () => expect(inbox.arrivals.length === 0, what))

/** Opens a socket, closes it, and returns the address that it had. */
const closedSocket = Effect.suspend(() => Effect.scoped(Effect.map(openSocket(), ({ local }) => local)))

/** An IPv4 server and a client, and the datagrams that each of the two receives. */
const pair = Effect.gen(function* () {
  const [here, there] = [new Inbox(), new Inbox()]
  const server = yield* openSocket({ bind: V4 }, there)
  const client = yield* openSocket({}, here)
  return { client, here, server, there }
})

export const datagramCases = buildCases("datagrams", {
  "IPv4, both ways": roundTrip(V4, 5),
  "IPv6, both ways": roundTrip(V6, 5),
  empty: roundTrip(V4, 0),
  "8 kB": roundTrip(V4, 8000),
  "65 507 bytes, the maximum": roundTrip(V4, 65_507),
  "a datagram that is one byte too large causes a fault": scoped(function* () {
    const { client, here, server, there } = yield* pair
    client.send(new Uint8Array(65_508), server.local.address, server.local.port)
    yield* here.until(() => here.faults.length > 0, "reported no fault")
    const { kind, code, peer } = here.faults[0]!
    expect(kind === "failed" && code === "EMSGSIZE", `reported ${kind} (${code})`)
    expect(peer !== undefined && text(peer) === text(server.local), "the fault has the wrong receiver")
    client.send(makeBytes(1), server.local.address, server.local.port)
    yield* there.until(() => there.arrivals.length > 0, "nothing arrived after the fault")
  }),
  "200 datagrams of one turn arrive in order": scoped(function* () {
    const { client, server, there } = yield* pair
    for (let i = 0; i < 200; i++) client.send(Uint8Array.of(i), server.local.address, server.local.port)
    yield* there.until(() => there.arrivals.length === 200, "fewer than 200 datagrams arrived")
    expect(
      there.arrivals.every(({ bytes }, i) => bytes[0] === i),
      "the datagrams arrived in another order"
    )
  }),
  "more datagrams in one turn than the queue accepts": scoped(function* () {
    const { client, here, server, there } = yield* pair
    // The datagrams are too large to send. Therefore every datagram that enters the queue causes a fault.
    const bytes = new Uint8Array(65_508)
    for (let i = 0; i < 2 * MAX_WAITING; i++) client.send(bytes, server.local.address, server.local.port)
    yield* here.until(() => here.faults.length >= MAX_WAITING, `fewer than ${MAX_WAITING} datagrams were queued`)
    client.send(makeBytes(1), server.local.address, server.local.port)
    yield* there.until(() => there.arrivals.length > 0, "nothing arrived after the flood")
    // Node sends at once and queues no datagrams. Deno sends one datagram at a time, and stores up to `MAX_WAITING` further datagrams in
    // the queue.
    const { length } = here.faults
    expect(length === 2 * MAX_WAITING || length <= MAX_WAITING + 1, `${length} datagrams were queued`)
  }),
  "an address in use": scoped(function* () {
    const taken = yield* openSocket()
    const error = yield* Effect.flip(openSocket({ bind: taken.local }))
    expect(
      error._tag === "SendFailed" && error.code === "EADDRINUSE",
      `fails with ${error._tag} (${error.code}): ${error.message}`
    )
  }),
  "a closed socket's port is free again": scoped(function* () {
    yield* Effect.scoped(openSocket({ bind: yield* closedSocket }))
  }),
  "a connected socket receives datagrams only from its peer": scoped(function* () {
    const inbox = new Inbox()
    const [peer, stranger] = [yield* openSocket(), yield* openSocket()]
    const client = yield* openSocket({ bind: V4, connect: peer.local }, inbox)
    stranger.send(makeBytes(3), "127.0.0.1", client.local.port)
    yield* silently(inbox, "received a datagram from another sender")
    peer.send(makeBytes(3), "127.0.0.1", client.local.port)
    yield* inbox.until(() => inbox.arrivals.length > 0, "received no datagram from its peer")
  }),
  "an IPv6 socket receives no IPv4 datagrams": scoped(function* () {
    const { open } = yield* Datagrams
    const inbox = new Inbox()
    const six = yield* open({ family: 6 }, inbox)
    const four = yield* openSocket({})
    four.send(makeBytes(3), "127.0.0.1", six.local.port)
    yield* silently(inbox, "received an IPv4 datagram")
  }),
  "a closed port does not affect datagrams to other ports": scoped(function* () {
    const { client, here, server, there } = yield* pair
    const send = client.send.bind(client)
    const sendQuietly = client.sendQuietly?.bind(client) ?? send
    const gone = yield* closedSocket
    for (let i = 0; i < 20; i++) {
      client.send(makeBytes(1), gone.address, gone.port)
      // In every second iteration, the test waits, so that the system can report the closed port before the next datagram is sent.
      if (i % 2 === 0) yield* Effect.sleep(1)
      const sendAnother = i < 10 ? send : sendQuietly
      sendAnother(makeBytes(1), server.local.address, server.local.port)
    }
    yield* there.until(() => there.arrivals.length === 20, "fewer than 20 datagrams arrived")
    const blamed = here.faults.some(({ peer }) => peer !== undefined && text(peer) === text(server.local))
    expect(!blamed, "reported a fault for the server that is open")
  }),
  "names resolve like in the system": scoped(function* () {
    const { resolve } = yield* Datagrams
    const localhost = yield* resolve("localhost")
    expect(localhost.address === "127.0.0.1" && localhost.family === 4, `localhost is ${localhost.address}`)
    const numeric = yield* resolve("0:0::1")
    expect(numeric.address === "::1" && numeric.family === 6, `0:0::1 is ${numeric.address}`)
    const error = yield* Effect.flip(resolve("nowhere.invalid"))
    expect(error.host === "nowhere.invalid", `the error names ${error.host}`)
  })
})
