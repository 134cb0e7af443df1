/**
 * Targets for query exchanges: a single query, three queries of one server, and a query that runs in a client's engine. The exchanges
 * receive any datagrams at any time.
 */
import { CallbackRequest, Engine, type EngineSocket, Limits, RoundTrip } from "@sourcewire/core/engine"
import { Query, QueryExchange, ServerExchange } from "@sourcewire/core/query"
import { toHex } from "@sourcewire/protocol"
import { connectionless, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import { Random } from "../engine/random.ts"
import { replies, splits } from "../seeds.ts"
import { VirtualTime } from "../../../testing/VirtualTime.ts"
import { type Input, must, type Target } from "../Target.ts"
import { converse } from "./play.ts"

const common = { events: true, steering: 2, maxBytes: 8192, baseSteps: 3_000_000, stepsPerByte: 800 } as const

/**
 * Settings of a query. The timeout is 3 s. `seed`, a byte of the input, selects the number of retries (at most eight) and the random
 * numbers of the query.
 */
const makeSettings = (seed: number) =>
  ({ timeoutMs: 3000, retries: seed % 9, encoding: "auto", random: new Random(seed).next }) as const

type AnyQuery = Query.Query<unknown>

const QUERIES: ReadonlyArray<AnyQuery> = [
  Query.info,
  Query.players,
  Query.rules,
  Query.challenge,
  Query.ping,
  Query.infoPing,
  Query.anyPing
] as ReadonlyArray<AnyQuery>

/**
 * Maximum number of sent datagrams. Each attempt may need the maximum number of challenge rounds. If a reply is damaged, an attempt may
 * also be repeated once.
 */
const mostSent = (retries: number): number => 2 * (retries + 2) * (Limits.MAX_CHALLENGE_ROUNDS + 2)

const START = Uint8Array.of(0, 8)

/**
 * Makes an input. The first part of the input selects the kind of query and the number of retries. The other parts are events. An event
 * consists of:
 *
 * - a byte with the time since the last event, in units of 16 ms
 * - a byte that selects the sender
 * - the datagram
 */
const conversation = (kind: number, ...parts: ReadonlyArray<Uint8Array>): Input => [
  START.with(0, kind),
  ...parts.map((part) => Uint8Array.of(3, 0, ...part))
]

const CHALLENGE = connectionless("A\x0a\x0b\x0c\x0d")
const SECOND = connectionless("A\x01\x02\x03\x04")

const conversations = (): ReadonlyArray<Input> => [
  ...replies.flatMap((reply) => [0, 1, 2].map((kind) => conversation(kind, CHALLENGE, reply))),
  ...splits.map((fragments, i) => conversation(i % 3, CHALLENGE, ...fragments)),
  ...QUERIES.map((_, kind) => conversation(kind, CHALLENGE, SECOND, CHALLENGE)),
  ...QUERIES.map((_, kind) =>
    conversation(kind, connectionless("j00000000000000"), connectionless("lBanned by server\n"))
  ),
  ...QUERIES.map((_, kind) => conversation(kind, connectionless("9No challenge for your address.\n\0")))
]

/** A single query that receives any datagrams from the queried server. */
export const queryExchange: Target = {
  ...common,
  name: "query exchange",
  holds:
    "no throw; ends before its deadline; sends a limited number of datagrams; the result is the content of a datagram or joined reply",
  covers: /^packages\/core\/src\/(query|engine\/(Exchange|retransmission))/,
  weight: 6,
  stepsPerByte: 400,
  seeds: conversations,
  run: ([how = START, ...events]) => {
    const asked = QUERIES[(how[0] ?? 0) % QUERIES.length]!
    const settings = makeSettings(how[1] ?? 0)
    const exchange = new QueryExchange(asked, settings, new RoundTrip())
    const reassembler = new Reassembler()
    const whole: Array<Uint8Array> = []
    const { result, sent } = converse(exchange, settings.timeoutMs, events, common.steering, (datagram) => {
      const joined = reassembler.add(datagram)
      if (Result.isSuccess(joined) && joined.success !== undefined) whole.push(joined.success.bytes)
      else if (Result.isFailure(joined)) whole.push(datagram)
    })
    must(exchange.sent === sent && sent <= mostSent(settings.retries), `sent ${sent} datagrams`)
    if (Result.isFailure(result)) return
    const isContained = whole.some((bytes) => isDeepStrictEqual(asked.decode(bytes, settings.encoding), result))
    must(isContained, "a result that no datagram contains")
  }
}

const DAMAGED = splits[0]![0]!

/** An exchange of INFO, PLAYER and RULES that receives any datagrams from the queried server. */
export const serverExchange: Target = {
  ...common,
  name: "server exchange",
  holds:
    "no throw; ends before its deadline; sends a limited number of datagrams, and counts them correctly; no part is both present and missing",
  covers: /^packages\/core\/src\/query\/ServerExchange/,
  weight: 4,
  seeds: () =>
    [0, 1].flatMap((kind) => [
      ...replies.map((reply) => conversation(kind, CHALLENGE, reply, ...replies, ...splits.flat())),
      ...splits.map((fragments) => conversation(kind, ...replies, DAMAGED, ...fragments))
    ]),
  run: ([how = START, ...events]) => {
    const settings = makeSettings(how[1] ?? 0)
    const isConcurrent = (how[0] ?? 0) % 2 === 1
    const exchange = new ServerExchange(settings, new RoundTrip(), { isConcurrent })
    let delivered = 0
    const { result, sent } = converse(exchange, 3 * settings.timeoutMs, events, common.steering, () => {
      must(exchange.received === delivered, `counts ${exchange.received} of ${delivered} datagrams`)
      delivered++
    })
    // If PLAYER and RULES are in flight at the same time, the query of RULES may pause. When this query starts again, it can send all its
    // datagrams again.
    const most = (isConcurrent ? 4 : 3) * mostSent(settings.retries)
    must(exchange.sent === sent && sent <= most, `sent ${sent} datagrams`)
    must(exchange.received >= delivered, `counts ${exchange.received} of ${delivered} datagrams`)
    if (Result.isFailure(result)) return
    const { errors, players, rules } = exchange.replies
    must((players === undefined) === (errors?.players !== undefined), "PLAYER neither failed nor succeeded, or both")
    must((rules === undefined) === (errors?.rules !== undefined), "RULES neither failed nor succeeded, or both")
    JSON.stringify(exchange.replies)
  }
}

const SERVER = { address: "192.0.2.1", port: 27_015 }

/**
 * The possible senders. The second byte of an event selects the sender. The first two senders are the server, and the other senders have
 * similar addresses.
 */
const SENDERS = [
  SERVER,
  SERVER,
  { ...SERVER, port: 27_016 },
  { ...SERVER, address: "192.0.2.11" },
  { address: "2001:db8::1", port: 27_015 },
  { address: "::ffff:192.0.2.1", port: 27_015 }
]

/**
 * Runs a query in a client, and returns the result of the query and the datagrams that the client sent. The client receives a datagram only
 * if `isHeard` returns true for the sender.
 */
const outcome = (how: Uint8Array, events: Input, isHeard: (sender: number) => boolean) => {
  const time = new VirtualTime()
  const engine = new Engine({ timing: time })
  const socket: EngineSocket = engine.socket()
  const sent: Array<string> = []
  socket.attach({
    local: { address: "192.0.2.2", port: 1 },
    send: (bytes, address, port) => void sent.push(`${time.now()} ${address} ${port} ${toHex(bytes)}`)
  })
  const exchange = new QueryExchange(QUERIES[(how[0] ?? 0) % QUERIES.length]!, makeSettings(how[1] ?? 0))
  let done = 0
  engine.submit(socket, new CallbackRequest(exchange, SERVER.address, SERVER.port, () => void done++))
  for (const event of events) {
    time.goTo(time.now() + (event[0] ?? 0) * 16)
    const sender = (event[1] ?? 0) % SENDERS.length
    if (!isHeard(sender)) continue
    const bytes = event.slice(2)
    socket.onDatagram(bytes, SENDERS[sender]!.address, SENDERS[sender]!.port)
    bytes.fill(0xcc)
  }
  time.goTo(10_000)
  must(done === 1 && engine.inFlight === 0 && socket.inFlight === 0, "the engine still holds a query that has ended")
  return { result: exchange.result, sent, rtt: exchange.rtt }
}

export const senders: Target = {
  ...common,
  name: "senders",
  holds: "datagrams from other addresses and ports do not affect the result, the sent datagrams, or their times",
  covers: /^packages\/core\/src\/engine\/Engine/,
  weight: 4,
  baseSteps: 6_000_000,
  seeds: () =>
    conversations().map(([how = START, ...events]) => [
      how,
      ...events.flatMap((event, i) => [event.with(1, 2 + (i % 4)), event])
    ]),
  run: ([how = START, ...events]) => {
    const all = outcome(how, events, () => true)
    const alone = outcome(how, events, (sender) => SENDERS[sender] === SERVER)
    must(isDeepStrictEqual(all, alone), "a datagram of another sender changed something")
  }
}
