/**
 * The session over transports that act before they return, as Deno's opens its sockets, or in a later turn, as Node's.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@sourcewire/protocol"
import { decode, encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { OpenSocket } from "../../src/rcon/goldSourceSession.ts"
import { GoldSourceSession } from "../../src/rcon/goldSourceSession.ts"
import { SendFailed } from "../../src/QueryError.ts"

const remote = { address: "192.0.2.1", port: 27015 }
const LIMITS = { timeoutMs: 1000, totalTimeoutMs: 30_000 }
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** HLDS's answers, as far as they are needed. */
const answerTo = (request: Uint8Array): Message => {
  const message = Result.getOrThrow(decode(request))
  if (message._tag === "RconChallengeRequest") return { _tag: "RconChallengeReply", challenge: 7 }
  if (message._tag !== "RconRequest") return { _tag: "PrintReply", text: "?" }
  return { _tag: "PrintReply", text: `${message.command.replace(/^echo /, "")}\n` }
}

/** Turns of a transport: `at-once` runs what is given to it, `later` keeps it for {@link Turns.run}. */
const turns = (when: "at-once" | "later") => {
  const waiting: Array<() => void> = []
  return {
    take: (act: () => void): void => void (when === "at-once" ? act() : waiting.push(act)),
    run: (): void => {
      for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) act()
    }
  }
}

const sessionOver = (openSocket: OpenSocket) => {
  const timers = new Set<() => void>()
  let time = 0
  const session = new GoldSourceSession({
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
    password: bytesOf("probe pw"),
    dialect: "goldsource",
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
  /** Lets the time pass that replies need to count as whole. */
  const wait = () => {
    // Timers set meanwhile wait for the next call.
    const due = [...timers]
    for (const timer of due) timer()
  }
  return { ended, session, sink, wait }
}

describe.each(["at-once", "later"] as const)("a transport that acts %s", (when) => {
  it("opens a socket, and carries commands both ways", () => {
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
    session.logIn(LIMITS, sink("log-in"))
    settle()
    assert.deepStrictEqual(ended, ["log-in: "])
    session.exec(bytesOf("one"), LIMITS, sink("one"))
    session.exec(bytesOf("two"), LIMITS, sink("two"))
    settle()
    settle()
    assert.deepStrictEqual(ended, ["log-in: ", "one: one", "two: two"])
    session.close()
  })

  it("fails each command that a socket can't be opened for", () => {
    const { run, take } = turns(when)
    let closed = 0
    const { ended, session, sink } = sessionOver((_handler, _onOpen, onFail) => {
      take(() => onFail(new SendFailed({ message: "No socket." })))
      return () => {
        closed += 1
      }
    })
    session.exec(bytesOf("one"), LIMITS, sink("one"))
    run()
    assert.deepStrictEqual(ended, ["one: SendFailed"])
    session.exec(bytesOf("two"), LIMITS, sink("two"))
    run()
    assert.deepStrictEqual(ended, ["one: SendFailed", "two: SendFailed"])
    assert.strictEqual(closed, 2)
    session.close()
  })
})
