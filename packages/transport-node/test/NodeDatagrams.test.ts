import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandler, SocketFault } from "@sourcewire/core/transport"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layer } from "../src/NodeDatagrams.ts"

const LOOPBACK = { address: "127.0.0.1", port: 0 }

/** A handler that records datagrams and faults. */
const makeRecorder = () => {
  const received: Array<string> = []
  const faults: Array<SocketFault> = []
  let wake: (() => void) | undefined
  const note = (): void => {
    wake?.()
    wake = undefined
  }
  const handler: DatagramHandler = {
    onDatagram: (bytes, address, port) => {
      received.push(`${new TextDecoder().decode(bytes)} from ${address}:${port}`)
      note()
    },
    onFault: (fault) => {
      faults.push(fault)
      note()
    }
  }
  const next = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
  })
  return { received, faults, handler, next }
}

const hello = new TextEncoder().encode("hello")

it.live("a socket sends and receives datagrams, and reports the size of its receive buffer", () =>
  Effect.gen(function* () {
    const datagrams = yield* Datagrams
    const [one, other] = [makeRecorder(), makeRecorder()]
    const a = yield* datagrams.open({ family: 4, bind: LOOPBACK, receiveBufferBytes: 1_000_000 }, one.handler)
    const b = yield* datagrams.open({ family: 4, connect: a.local }, other.handler)
    b.send(hello, a.local.address, a.local.port)
    yield* one.next
    assert.deepEqual(one.received, [`hello from 127.0.0.1:${b.local.port}`])
    a.send(hello, "127.0.0.1", b.local.port)
    yield* other.next
    assert.deepEqual(other.received, [`hello from 127.0.0.1:${a.local.port}`])
    assert.isAbove(a.receiveBufferBytes ?? 0, b.receiveBufferBytes ?? 0)
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live(
  "a socket has the requested size of its send buffer or receive buffer, and reports the sizes of both buffers",
  () =>
    Effect.gen(function* () {
      const { open } = yield* Datagrams
      const { handler } = makeRecorder()
      const common = { family: 4, bind: LOOPBACK } as const
      const plain = yield* open(common, handler)
      const sending = yield* open({ ...common, sendBufferBytes: 20_000 }, handler)
      const receiving = yield* open({ ...common, receiveBufferBytes: 20_000 }, handler)
      // Linux doubles the requested size.
      for (const bytes of [sending.sendBufferBytes!, receiving.receiveBufferBytes!]) {
        assert.isAtLeast(bytes, 20_000)
        assert.isAtMost(bytes, 40_000)
      }
      assert.notStrictEqual(plain.sendBufferBytes, sending.sendBufferBytes)
      assert.notStrictEqual(plain.receiveBufferBytes, receiving.receiveBufferBytes)
      assert.deepStrictEqual(
        [receiving.sendBufferBytes, sending.receiveBufferBytes],
        [plain.sendBufferBytes, plain.receiveBufferBytes]
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live(
  "opening a socket fails if its port is in use; sending causes a fault if the port of the receiver is closed or the datagram is too large",
  () =>
    Effect.gen(function* () {
      const datagrams = yield* Datagrams
      const taken = yield* datagrams.open({ family: 4, bind: LOOPBACK }, makeRecorder().handler)
      const inUse = yield* Effect.flip(datagrams.open({ family: 4, bind: taken.local }, makeRecorder().handler))
      assert.deepInclude(inUse, { _tag: "SendFailed", code: "EADDRINUSE" })

      const closed = yield* Effect.scoped(
        Effect.map(datagrams.open({ family: 4, bind: LOOPBACK }, makeRecorder().handler), ({ local }) => local)
      )
      const sender = makeRecorder()
      const handle = yield* datagrams.open({ family: 4, connect: closed }, sender.handler)
      handle.send(hello, closed.address, closed.port)
      yield* sender.next
      assert.strictEqual(sender.faults[0]?.kind, "refused")

      const free = makeRecorder()
      const unconnected = yield* datagrams.open({ family: 4 }, free.handler)
      unconnected.send(new Uint8Array(70_000), taken.local.address, taken.local.port)
      yield* free.next
      assert.deepInclude(free.faults[0], { kind: "failed", code: "EMSGSIZE", peer: taken.local })
    }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live(
  "the transport shortens IPv6 addresses, resolves names with the resolver of the system, and prefers IPv4 addresses",
  () =>
    Effect.gen(function* () {
      const { resolve } = yield* Datagrams
      assert.deepEqual(yield* resolve("127.0.0.1"), { address: "127.0.0.1", family: 4 })
      assert.deepEqual(yield* resolve("0:0::1"), { address: "::1", family: 6 })
      assert.deepEqual(yield* resolve("localhost"), { address: "127.0.0.1", family: 4 })
      assert.strictEqual((yield* Effect.flip(resolve("nowhere.invalid"))).host, "nowhere.invalid")
    }).pipe(Effect.provide(layer))
)
