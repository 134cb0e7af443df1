/** Tests how a session connects and reconnects, handles waiting commands, and releases its resources. */
import { assert, describe, it } from "@effect/vitest"
import { AUTH, AUTH_RESPONSE, encodePacket, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import type { QueryError } from "../../src/engine/QueryError.ts"
import { PortClosed } from "../../src/engine/QueryError.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import { SourceSession } from "../../src/rcon/sourceSession.ts"
import type { RconTraceEvent } from "../../src/rcon/trace.ts"
import type { StreamHandle, StreamHandler } from "../../src/engine/Streams.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (body: Uint8Array) => new TextDecoder().decode(body)
const EMPTY = new Uint8Array(0)
const LIMITS = { timeoutMs: 60_000, totalTimeoutMs: 120_000 }
const endpoint = { address: "192.0.2.1", port: 27_015 }

/** A connection attempt. A test decides whether the attempt succeeds, and which packets the server sends afterwards. */
interface Attempt {
  readonly atMs: number
  readonly open: () => void
  readonly fail: (error: QueryError) => void
  readonly send: (...packets: ReadonlyArray<SourceRconPacket>) => void
  readonly sendBytes: (data: Uint8Array) => void
  readonly hangUp: () => void
  readonly received: ReadonlyArray<SourceRconPacket>
  isGivenUp: boolean
}

const setUp = (options: { readonly reconnect?: boolean; readonly random?: number } = {}) => {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const dialled: Array<Attempt> = []
  const traced: Array<RconTraceEvent> = []
  const ended: Array<string> = []
  const messages: Array<string> = []
  const dial = (
    handler: StreamHandler,
    onOpen: (stream: StreamHandle) => void,
    onFail: (error: QueryError) => void
  ) => {
    const framer = new SourceRconFramer()
    const received: Array<SourceRconPacket> = []
    const stream: StreamHandle = {
      local: endpoint,
      remote: endpoint,
      write: (data) => void received.push(...framer.push(data)),
      queuedBytes: () => 0,
      pause: () => {},
      resume: () => {},
      end: () => {},
      destroy: () => {}
    }
    const one: Attempt = {
      atMs: now,
      open: () => onOpen(stream),
      fail: onFail,
      send: (...packets) => handler.onData(concatBytes(packets.map(encodePacket))),
      sendBytes: (data) => handler.onData(data),
      hangUp: () => handler.onClose(),
      received,
      isGivenUp: false
    }
    dialled.push(one)
    return () => void (one.isGivenUp = true)
  }
  const session = new SourceSession({
    dial,
    timing: {
      now: () => now,
      schedule: (delayMs, run) => {
        const timer = { at: now + delayMs, run }
        timers.add(timer)
        return () => void timers.delete(timer)
      }
    },
    random: () => options.random ?? 0.5,
    password: bytes("probe pw"),
    terminator: "quiet",
    timeoutMs: 5000,
    reconnect: options.reconnect ?? true,
    trace: (event) => void traced.push(event)
  })
  const sink = (name: string) => {
    let reply = ""
    return {
      onPart: (part: Uint8Array) => void (reply += text(part)),
      onEnd: (error?: { readonly _tag: string; readonly message: string }) => {
        if (error !== undefined) messages.push(error.message)
        ended.push(`${name}: ${error?._tag ?? reply}`)
      }
    }
  }
  /** Runs the timers that are due at or before `until`, in the order of their times. Then sets the clock to `until`. */
  const advanceTo = (until: number): void => {
    for (;;) {
      const due = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      timers.delete(due)
      now = Math.max(now, due.at)
      due.run()
    }
    now = until
  }
  const verdict = (id: number): SourceRconPacket => ({ id, type: AUTH_RESPONSE, body: EMPTY })
  /** Lets the last connection attempt succeed, and accepts the password, as a server does. */
  const acceptLogin = (): Attempt => {
    const last = dialled.at(-1)!
    last.open()
    last.send(verdict(1))
    return last
  }
  const exec = (name: string, limits = LIMITS) => session.exec(bytes(name), limits, sink(name))
  const listCommands = ({ received }: Attempt) =>
    received.filter(({ type }) => type !== AUTH).map(({ body }) => text(body))
  return {
    listCommands,
    dialled,
    ended,
    messages,
    exec,
    advanceTo,
    acceptLogin,
    session,
    sink,
    timers,
    traced,
    verdict
  }
}

const closed = new PortClosed({ message: "Nothing listens there." })

describe("a session", () => {
  it("opens when the server accepts the password, and then sends commands", () => {
    const { listCommands, ended, exec, advanceTo, acceptLogin, session, sink } = setUp()
    session.logIn(sink("open"))
    const connection = acceptLogin()
    assert.deepStrictEqual(ended, ["open: "])
    exec("status")
    const { id } = connection.received.at(-1)!
    assert.deepStrictEqual(listCommands(connection), ["status"])
    connection.send({ id, type: RESPONSE_VALUE, body: bytes("fine") })
    advanceTo(2000)
    assert.deepStrictEqual(ended, ["open: ", "status: fine"])
  })

  it("opens a new connection for the next command if the connection was lost", () => {
    const { listCommands, dialled, exec, advanceTo, acceptLogin, session, sink } = setUp()
    session.logIn(sink("open"))
    acceptLogin().hangUp()
    advanceTo(30_000)
    assert.lengthOf(dialled, 1)
    exec("status")
    assert.deepInclude(dialled[1], { atMs: 30_000 })
    assert.deepStrictEqual(listCommands(acceptLogin()), ["status"])
  })

  it("ends when the connection is lost if `reconnect` is false", () => {
    const { dialled, ended, exec, acceptLogin, messages, session, sink } = setUp({ reconnect: false })
    session.logIn(sink("open"))
    const connection = acceptLogin()
    exec("in flight")
    exec("waiting")
    connection.hangUp()
    exec("late")
    assert.lengthOf(dialled, 1)
    const all = ["open: ", "in flight: ConnectionClosed", "waiting: ConnectionClosed", "late: ConnectionClosed"]
    assert.deepStrictEqual(ended, all)
    assert.deepStrictEqual(
      messages.map((message) => message.includes("may have been executed")),
      [true, false, false]
    )
  })

  it.each([
    [0, [250, 500, 1000, 2000, 2500, 2500]],
    [0.5, [500, 1000, 2000, 4000, 5000, 5000]]
  ])("waits longer after each failed connection attempt, up to a maximum (random value: %d)", (random, pauses) => {
    const { dialled, exec, advanceTo, acceptLogin, session, sink } = setUp({ random })
    session.logIn(sink("open"))
    acceptLogin().hangUp()
    exec("status")
    for (const pause of pauses) {
      const last = dialled.at(-1)!
      last.fail(closed)
      const before = dialled.length
      advanceTo(last.atMs + pause - 1)
      assert.lengthOf(dialled, before)
      advanceTo(last.atMs + pause)
      assert.lengthOf(dialled, before + 1)
    }
  })

  it("restarts the time limit of a waiting command when the connection is lost", () => {
    const { dialled, ended, exec, advanceTo, acceptLogin, session, sink } = setUp()
    session.logIn(sink("open"))
    const first = acceptLogin()
    const patient = { timeoutMs: 10_000, totalTimeoutMs: 120_000 }
    exec("one", { timeoutMs: 100_000, totalTimeoutMs: 120_000 })
    exec("two", patient)
    advanceTo(50_000)
    // Command one is still in flight, so command two is still waiting. Command two has already waited for longer than its `timeoutMs`.
    first.hangUp()
    assert.deepStrictEqual(ended.slice(1), ["one: ConnectionClosed"])
    advanceTo(50_000)
    dialled[1]!.fail(closed)
    advanceTo(59_999)
    assert.lengthOf(ended, 2)
    advanceTo(60_000)
    assert.deepStrictEqual(ended.slice(2), ["two: PortClosed"])
  })

  it("reports that the server did not accept a new connection if a command times out before it is sent", () => {
    const { ended, exec, messages, advanceTo, acceptLogin, session, sink } = setUp()
    session.logIn(sink("open"))
    acceptLogin().hangUp()
    // The server does not reply to the new connection attempt.
    exec("status", { timeoutMs: 1000, totalTimeoutMs: 2000 })
    advanceTo(999)
    assert.deepStrictEqual(ended, ["open: "])
    advanceTo(1000)
    assert.deepStrictEqual(ended, ["open: ", "status: Timeout"])
    assert.deepStrictEqual(messages, ["The server did not accept a new connection within 1000 ms."])
  })

  it("never sends a rejected password again", () => {
    const { dialled, ended, exec, advanceTo, acceptLogin, session, sink, verdict } = setUp()
    session.logIn(sink("open"))
    acceptLogin().hangUp()
    exec("status")
    dialled[1]!.open()
    dialled[1]!.send(verdict(-1))
    exec("again")
    advanceTo(60_000)
    assert.lengthOf(dialled, 2)
    assert.deepStrictEqual(ended, ["open: ", "status: AuthenticationFailed", "again: AuthenticationFailed"])
  })

  it("does not send an abandoned command that is still waiting, and drops the reply to an abandoned command that was sent", () => {
    const { listCommands, ended, exec, advanceTo, acceptLogin, session, sink } = setUp()
    session.logIn(sink("open"))
    const connection = acceptLogin()
    const giveUpOne = exec("one")
    const giveUpTwo = exec("two")
    exec("three")
    giveUpTwo()
    assert.deepStrictEqual(listCommands(connection), ["one"])
    giveUpOne()
    // The next command is sent as soon as the first command is abandoned.
    assert.deepStrictEqual(listCommands(connection), ["one", "three"])
    const [one, three] = connection.received.slice(1).map(({ id }) => id)
    connection.send({ id: one!, type: RESPONSE_VALUE, body: bytes("stale") })
    connection.send({ id: three!, type: RESPONSE_VALUE, body: bytes("fresh") })
    advanceTo(2000)
    assert.deepStrictEqual(ended, ["open: ", "three: fresh"])
  })

  it("ends all commands and timers when the session is closed", () => {
    const { dialled, ended, exec, acceptLogin, session, sink, timers } = setUp()
    session.logIn(sink("open"))
    acceptLogin()
    exec("one")
    exec("two")
    session.close()
    session.close()
    exec("three")
    assert.deepStrictEqual(ended.slice(1), [
      "one: ConnectionClosed",
      "two: ConnectionClosed",
      "three: ConnectionClosed"
    ])
    assert.strictEqual(timers.size, 0)
    assert.isTrue(dialled[0]!.isGivenUp)
    dialled[0]!.send({ id: 2, type: RESPONSE_VALUE, body: bytes("late") })
    dialled[0]!.hangUp()
    assert.lengthOf(ended, 4)
  })

  it("abandons a connection attempt when the session is closed", () => {
    const { dialled, ended, session, sink } = setUp()
    session.logIn(sink("open"))
    session.close()
    assert.isTrue(dialled[0]!.isGivenUp)
    dialled[0]!.open()
    assert.deepStrictEqual(ended, ["open: ConnectionClosed"])
  })

  it("traces the bytes of an incomplete packet if the stream ends within this packet", () => {
    const { acceptLogin, session, sink, traced } = setUp()
    session.logIn(sink("open"))
    const connection = acceptLogin()
    connection.sendBytes(bytes("\u0040\u0000\u0000\u0000begun"))
    assert.notInclude(traced.map((event) => text(event.bytes)).join(), "begun")
    connection.hangUp()
    assert.include(text(traced.at(-1)!.bytes), "begun")
  })
})
