import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import type { CommandHandler } from "../../src/rcon/commandHandler.ts"
import { interceptGoldSource } from "../../src/rcon/RconServer.ts"

const datagram = (message: Message) => Result.getOrThrow(encode(message))

/** A console of Xash3D that intercepts datagrams in front of a server. Xash3D requires no challenge. */
const makeConsole = Effect.fnUntraced(function* (handler: CommandHandler) {
  const password = Redacted.make("right")
  const { intercept } = yield* interceptGoldSource({ password, dialect: "quake", handler })
  const replies: Array<string> = []
  const take = (message: Message) =>
    intercept(datagram(message), "192.0.2.1", 4000, (reply) => {
      const decoded = decode(reply)
      replies.push(Result.isSuccess(decoded) && decoded.success._tag === "PrintReply" ? decoded.success.text : "print")
    })
  const ask = (command = "x") => take({ _tag: "RconRequest", password: "right", command })
  return { ask, replies, take }
})

describe("commands over UDP", () => {
  it.effect("are dropped if too many commands are in flight, and later commands are accepted again", () =>
    Effect.gen(function* () {
      let begun = 0
      const { ask } = yield* makeConsole(() => {
        begun += 1
        return Effect.as(Effect.sleep(100), "slow")
      })
      for (let i = 0; i < 100; i++) assert.isTrue(ask())
      assert.strictEqual(begun, 64)
      yield* TestClock.adjust(100)
      for (let i = 0; i < 100; i++) ask()
      assert.strictEqual(begun, 128)
    })
  )

  it.effect("are not dropped if each command ends before the next command arrives", () =>
    Effect.gen(function* () {
      const { ask, replies } = yield* makeConsole(() => "")
      for (let i = 0; i < 200; i++) ask()
      assert.lengthOf(replies, 200)
    })
  )

  it.effect("are intercepted, and other datagrams are passed on", () =>
    Effect.gen(function* () {
      const { replies, take } = yield* makeConsole(() => "")
      assert.isFalse(take({ _tag: "InfoRequest" }))
      assert.isTrue(take({ _tag: "RconRequest", password: "wrong", command: "x" }))
      assert.deepStrictEqual(replies, [])
    })
  )
})
