/** Tests the time limits and memory limits of connections, and the bans of addresses. The tests control the connections and the time. */
import { assert, describe, it } from "@effect/vitest"
import { Streams } from "@sourcewire/core/transport"
import type { StreamHandle, StreamHandler } from "@sourcewire/core/transport"
import { AUTH, encodePacket, EXEC_COMMAND, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { SourceRconServerOptions } from "../../src/rcon/serverOptions.ts"
import { makeSourceRcon } from "../../src/rcon/serveSource.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const packet = (id: number, type: number, body = "") => encodePacket({ id, type, body: bytes(body) })
const PASSWORD = packet(1, AUTH, "right")
const COMMAND = packet(2, EXEC_COMMAND, "x")

/** Starts a server. Returns two functions: `connect` opens a connection to the server, and `unban` ends the ban of an address. */
const startServing = Effect.fnUntraced(function* (options: Partial<SourceRconServerOptions>) {
  let accept: ((stream: StreamHandle) => StreamHandler) | undefined
  const streams = Streams.of({
    connect: () => Effect.die("not used"),
    listen: ({ bind }, onConnection) => {
      accept = onConnection
      return Effect.succeed({ local: bind })
    }
  })
  const { unban } = yield* makeSourceRcon({ password: Redacted.make("right"), handler: () => "hi", ...options }).pipe(
    Effect.provideService(Streams, streams)
  )
  const connect = (address = "192.0.2.1") => {
    const framer = new SourceRconFramer()
    const answers: Array<SourceRconPacket> = []
    const state = { isOver: false, isPaused: false, queuedBytes: 0 }
    const handler = accept!({
      local: { address: "192.0.2.9", port: 27_015 },
      remote: { address, port: 4000 },
      write: (data) => void answers.push(...framer.push(data)),
      queuedBytes: () => state.queuedBytes,
      pause: () => void (state.isPaused = true),
      resume: () => void (state.isPaused = false),
      end: () => void (state.isOver = true),
      destroy: () => void (state.isOver = true)
    })
    return { answers, send: handler.onData, state }
  }
  return { connect, unban }
})

describe("the time limit of a connection", () => {
  it.effect("is `loginTimeoutMs` until the client has sent the correct password", () =>
    Effect.gen(function* () {
      const { connect } = yield* startServing({
        loginTimeoutMs: 1000,
        idleTimeoutMs: 60_000,
        attempts: { maxFailures: 100 }
      })
      const silent = connect()
      const dripping = connect()
      const guessing = connect()
      const right = connect()
      right.send(PASSWORD)
      dripping.send(Uint8Array.of(0, 16, 0, 0))
      for (let now = 0; now < 990; now += 90) {
        yield* TestClock.adjust(90)
        dripping.send(Uint8Array.of(1))
        guessing.send(packet(1, AUTH, "wrong"))
      }
      assert.deepStrictEqual(
        [silent, dripping, guessing].map(({ state }) => state.isOver),
        [false, false, false]
      )
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(
        [silent, dripping, guessing, right].map(({ state }) => state.isOver),
        [true, true, true, false]
      )
    })
  )

  it.effect("restarts with each command and with each reply", () =>
    Effect.gen(function* () {
      const { connect } = yield* startServing({
        idleTimeoutMs: 1000,
        handler: () => Effect.as(Effect.sleep(900), "slow")
      })
      const { answers, send, state } = connect()
      send(PASSWORD)
      yield* TestClock.adjust(900)
      send(COMMAND)
      yield* TestClock.adjust(900)
      assert.isTrue(answers.some(({ id }) => id === 2))
      yield* TestClock.adjust(999)
      assert.isFalse(state.isOver)
      yield* TestClock.adjust(1)
      assert.isTrue(state.isOver)
    })
  )
})

describe("a connection", () => {
  it.effect("is closed if the client does not read the replies; commands that are still waiting do not run", () =>
    Effect.gen(function* () {
      let carriedOut = 0
      const { connect } = yield* startServing({ handler: () => `${carriedOut++}` })
      const { send, state } = connect()
      send(PASSWORD)
      state.queuedBytes = 1024 * 1024 - 100
      send(Uint8Array.from([...COMMAND, ...COMMAND]))
      assert.deepStrictEqual([carriedOut, state.isOver], [2, false])
      state.queuedBytes = 1024 * 1024 + 1
      send(Uint8Array.from([...COMMAND, ...COMMAND, ...COMMAND]))
      assert.isTrue(state.isOver)
      assert.strictEqual(carriedOut, 3)
    })
  )

  it.effect("is not read while too many commands wait", () =>
    Effect.gen(function* () {
      const { connect } = yield* startServing({ handler: () => Effect.as(Effect.sleep(100), "slow") })
      const { send, state } = connect()
      send(PASSWORD)
      for (let i = 0; i < 64; i++) send(COMMAND)
      assert.isFalse(state.isPaused)
      send(COMMAND)
      assert.isTrue(state.isPaused)
      yield* TestClock.adjust(100)
      assert.isFalse(state.isPaused)
    })
  )
})

describe("a banned address", () => {
  it.effect(
    "is disconnected immediately, and is accepted again after `unban`; other addresses are not disconnected",
    () =>
      Effect.gen(function* () {
        const { connect, unban } = yield* startServing({ attempts: { maxFailures: 0 } })
        const guessing = connect()
        guessing.send(packet(1, AUTH, "wrong"))
        assert.isTrue(guessing.state.isOver)
        assert.isTrue(connect().state.isOver)
        assert.isFalse(connect("192.0.2.2").state.isOver)
        unban("192.0.2.1")
        assert.isFalse(connect().state.isOver)
      })
  )

  it.effect(
    "cannot log in on a connection that was open before the ban, and its ban continues after wrong passwords",
    () =>
      Effect.gen(function* () {
        const { connect } = yield* startServing({
          loginTimeoutMs: 60_000,
          attempts: { maxFailures: 1, windowMs: 30_000, banMs: 50_000 }
        })
        const [first, second, third] = [connect(), connect(), connect()]
        for (let i = 0; i < 2; i++) first.send(packet(1, AUTH, "wrong"))
        assert.isTrue(first.state.isOver)
        second.send(Buffer.concat([PASSWORD, COMMAND]))
        assert.deepStrictEqual([second.state.isOver, second.answers], [true, []])
        yield* TestClock.adjust(30_000)
        third.send(packet(1, AUTH, "wrong"))
        assert.isTrue(third.state.isOver)
        assert.isTrue(connect().state.isOver)
        yield* TestClock.adjust(50_000)
        assert.isFalse(connect().state.isOver)
      })
  )
})
