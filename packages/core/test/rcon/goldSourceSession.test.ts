/**
 * Tests GoldSource sessions. Some tests run once with each of two kinds of transports. The first kind calls back before `openSocket`
 * returns, as in Deno. The second kind calls back in a later turn of the event loop, as in Node.
 */
import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { GoldSourceSessionOptions } from "../../src/rcon/goldSourceSession.ts"
import { GoldSourceSession } from "../../src/rcon/goldSourceSession.ts"
import { SendFailed } from "../../src/engine/QueryError.ts"

const remote = { address: "192.0.2.1", port: 27015 }
const LIMITS = { timeoutMs: 1000, totalTimeoutMs: 30_000 }
const encodeText = (text: string) => new TextEncoder().encode(text)

/** Returns the reply of HLDS to a request. */
const answerTo = (request: Uint8Array): Message => {
  const message = Result.getOrThrow(decode(request))
  if (message._tag === "RconChallengeRequest") return { _tag: "RconChallengeReply", challenge: 7 }
  if (message._tag !== "RconRequest") return { _tag: "PrintReply", text: "?" }
  return { _tag: "PrintReply", text: `${message.command.replace(/^echo /, "")}\n` }
}

/**
 * Creates a queue for the callbacks of a simulated transport. If `when` is `at-once`, the queue calls each callback immediately. If `when`
 * is `later`, the queue stores the callbacks until a test calls `run`.
 */
const turns = (when: "at-once" | "later") => {
  const waiting: Array<() => void> = []
  return {
    take: (act: () => void): void => void (when === "at-once" ? act() : waiting.push(act)),
    run: (): void => {
      for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) act()
    }
  }
}

const sessionOver = (openSocket: GoldSourceSessionOptions["openSocket"]) => {
  const timers = new Set<() => void>()
  let time = 0
  const session = new GoldSourceSession({
    ...LIMITS,
    openSocket,
    timing: {
      now: () => time,
      schedule: (delayMs, run) => {
        const timer = () => {
          timers.delete(timer)
          time += delayMs
          run()
        }
        timers.add(timer)
        return () => timers.delete(timer)
      }
    },
    remote,
    password: encodeText("probe pw"),
    engine: "goldsource",
    trace: undefined
  })
  const ended: Array<string> = []
  const sink = (name: string) => {
    let text = ""
    return {
      onPart: (bytes: Uint8Array) => void (text += new TextDecoder().decode(bytes)),
      onEnd: (error?: { readonly _tag: string }) => void ended.push(`${name}: ${error?._tag ?? text.trim()}`)
    }
  }
  /** Runs all pending timers. The quiet period then ends, and the session treats the received reply as complete. */
  const wait = () => {
    // If a callback sets a timer, this timer runs in the next call of `wait`.
    const due = [...timers]
    for (const timer of due) timer()
  }
  return { ended, session, sink, timers, wait }
}

/** Creates a session that has logged in over its first socket. A test controls all sockets of this session. */
const openSession = () => {
  interface Socket {
    readonly sent: ReadonlyArray<string>
    readonly say: (message: Message, address?: string, port?: number) => void
    readonly refuse: () => void
    isClosed: boolean
  }
  const sockets: Array<Socket> = []
  const openedSession = sessionOver((handler, onOpen) => {
    const sent: Array<string> = []
    const one: Socket = {
      sent,
      say: (message, address = remote.address, port = remote.port) =>
        handler.onDatagram(Result.getOrThrow(encode(message)), address, port),
      refuse: () => handler.onFault({ kind: "refused", message: "ECONNREFUSED" }),
      isClosed: false
    }
    sockets.push(one)
    onOpen({
      local: { address: "192.0.2.2", port: 4000 + sockets.length },
      send: (request) => void sent.push(new TextDecoder("latin1").decode(request.subarray(4)).replace(/[\n\0]+$/, ""))
    })
    return () => void (one.isClosed = true)
  })
  openedSession.session.logIn(openedSession.sink("log-in"))
  sockets[0]!.say(CHALLENGE)
  // The two NULs at the end of the reply show that the server is HLDS.
  sockets[0]!.say({ ...printReply("sourcewire "), trailing: "00" })
  return { ...openedSession, sockets }
}

const CHALLENGE: Message = { _tag: "RconChallengeReply", challenge: 7 }
const printReply = (text: string) => ({ _tag: "PrintReply", text: `${text}\n` }) as const

describe("a session", () => {
  it("uses the socket and the challenge of the login for the next command", () => {
    const { ended, session, sink, sockets } = openSession()
    assert.deepStrictEqual(ended, ["log-in: "])
    session.exec(encodeText("one"), LIMITS, sink("one"))
    assert.lengthOf(sockets, 1)
    assert.strictEqual(sockets[0]!.sent.at(-1), 'rcon 7 "probe pw" one')
  })

  it("ignores datagrams from other addresses and ports", () => {
    const { ended, session, sink, sockets, wait } = openSession()
    session.exec(encodeText("one"), LIMITS, sink("one"))
    sockets[0]!.say(printReply("forged"), "192.0.2.66")
    sockets[0]!.say(printReply("forged"), remote.address, remote.port + 1)
    sockets[0]!.say(printReply("real"))
    wait()
    assert.deepStrictEqual(ended.slice(1), ["one: real"])
  })

  it("closes the socket of an abandoned command, and requests a challenge on a new socket for the next command", () => {
    const { ended, session, sink, sockets, wait } = openSession()
    const giveUp = session.exec(encodeText("slow"), LIMITS, sink("slow"))
    giveUp()
    assert.isTrue(sockets[0]!.isClosed)
    session.exec(encodeText("fast"), LIMITS, sink("fast"))
    // The late reply to the abandoned command arrives at the closed socket.
    sockets[0]!.say(printReply("slow reply"))
    assert.deepStrictEqual(sockets[1]!.sent, ["challenge rcon"])
    sockets[1]!.say(CHALLENGE)
    sockets[1]!.say(printReply("fast reply"))
    wait()
    assert.deepStrictEqual(ended.slice(1), ["fast: fast reply"])
  })

  it("does not send a waiting command that was abandoned", () => {
    const { session, sink, sockets, wait } = openSession()
    session.exec(encodeText("one"), LIMITS, sink("one"))
    session.exec(encodeText("two"), LIMITS, sink("two"))()
    session.exec(encodeText("three"), LIMITS, sink("three"))
    sockets[0]!.say(printReply("one"))
    wait()
    assert.deepStrictEqual(
      sockets[0]!.sent.slice(-2),
      ["one", "three"].map((command) => `rcon 7 "probe pw" ${command}`)
    )
  })

  it("ends the command in flight if the port is closed, and uses a new socket for the next command", () => {
    const { ended, session, sink, sockets } = openSession()
    session.exec(encodeText("one"), LIMITS, sink("one"))
    session.exec(encodeText("two"), LIMITS, sink("two"))
    sockets[0]!.refuse()
    assert.deepStrictEqual(ended, ["log-in: ", "one: PortClosed"])
    assert.isTrue(sockets[0]!.isClosed)
    assert.deepStrictEqual(sockets[1]!.sent, ["challenge rcon"])
  })

  it("ignores datagrams and faults while no command is in flight", () => {
    const { ended, session, sink, sockets, wait } = openSession()
    sockets[0]!.say(printReply("late"))
    sockets[0]!.refuse()
    session.exec(encodeText("one"), LIMITS, sink("one"))
    sockets[0]!.say({ ...printReply("one"), trailing: "00" })
    wait()
    assert.deepStrictEqual(ended, ["log-in: ", "one: one"])
    assert.lengthOf(sockets, 1)
  })

  it("rejects a command with a line break, and sends nothing", () => {
    const { session, sockets } = openSession()
    const before = sockets[0]!.sent.length
    for (const command of ["one\ntwo", "one\rtwo", "one\r\ntwo"]) {
      const errors: Array<unknown> = []
      session.exec(encodeText(command), LIMITS, {
        onPart: () => undefined,
        onEnd: (error) => errors.push(error?.message)
      })
      assert.deepStrictEqual(errors, ["The command contains a line break. Send one command per line."])
    }
    assert.lengthOf(sockets[0]!.sent, before)
  })

  it("ends all commands and timers when the session is closed", () => {
    const { ended, session, sink, sockets, timers } = openSession()
    session.exec(encodeText("one"), LIMITS, sink("one"))
    session.exec(encodeText("two"), LIMITS, sink("two"))
    session.close()
    session.close()
    session.exec(encodeText("three"), LIMITS, sink("three"))
    sockets[0]!.say(printReply("late"))
    assert.deepStrictEqual(ended.slice(1), [
      "one: ConnectionClosed",
      "two: ConnectionClosed",
      "three: ConnectionClosed"
    ])
    assert.isTrue(sockets[0]!.isClosed)
    assert.strictEqual(timers.size, 0)
  })
})

describe.each(["at-once", "later"] as const)("a session over a transport (time of the callbacks: %s)", (when) => {
  it("opens a socket, sends commands and receives replies", () => {
    const { run, take } = turns(when)
    const { ended, session, sink, wait } = sessionOver((handler, onOpen) => {
      take(() =>
        onOpen({
          local: { address: "192.0.2.2", port: 4000 },
          send: (request) => {
            const reply = Result.getOrThrow(encode(answerTo(request)))
            take(() => handler.onDatagram(reply, remote.address, remote.port))
          }
        })
      )
      return () => {}
    })
    const settle = () => {
      run()
      wait()
      run()
    }
    session.logIn(sink("log-in"))
    settle()
    assert.deepStrictEqual(ended, ["log-in: "])
    session.exec(encodeText("one"), LIMITS, sink("one"))
    session.exec(encodeText("two"), LIMITS, sink("two"))
    settle()
    settle()
    assert.deepStrictEqual(ended, ["log-in: ", "one: one", "two: two"])
    session.close()
  })

  it("opens one socket for all commands that are submitted before the socket is open", () => {
    const { run, take } = turns(when)
    let opened = 0
    const { session, sink } = sessionOver((_handler, onOpen) => {
      opened += 1
      take(() => onOpen({ local: { address: "192.0.2.2", port: 4000 }, send: () => undefined }))
      return () => undefined
    })
    session.exec(encodeText("one"), LIMITS, sink("one"))
    session.exec(encodeText("two"), LIMITS, sink("two"))
    run()
    assert.strictEqual(opened, 1)
    session.close()
  })

  it("ends each command with SendFailed if no socket can be opened", () => {
    const { run, take } = turns(when)
    let closed = 0
    const { ended, session, sink } = sessionOver((_handler, _onOpen, onFail) => {
      take(() => onFail(new SendFailed({ message: "No socket." })))
      return () => {
        closed += 1
      }
    })
    session.exec(encodeText("one"), LIMITS, sink("one"))
    run()
    assert.deepStrictEqual(ended, ["one: SendFailed"])
    session.exec(encodeText("two"), LIMITS, sink("two"))
    run()
    assert.deepStrictEqual(ended, ["one: SendFailed", "two: SendFailed"])
    assert.strictEqual(closed, 2)
    session.close()
  })
})
