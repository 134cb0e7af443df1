import { assert, describe, it } from "@effect/vitest"
import { makeLogSender } from "@sourcewire/server"
import type { LogSenderOptions } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { layer } from "../src/effect.ts"
import { logs as receiveLogs } from "../src/index.ts"

const sendTo = (options: LogSenderOptions, ...lines: ReadonlyArray<string>): Promise<number> =>
  Effect.gen(function* () {
    const sender = yield* makeLogSender(options)
    for (const line of lines) yield* sender.send(line)
    return sender.local.port
  }).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise)

describe("logs over UDP", () => {
  it.each([
    ["127.0.0.1", "source"],
    ["127.0.0.1", "goldsource"],
    ["127.0.0.1", "xash3d"],
    ["::1", "source"]
  ] as const)("arrive on %s in the format %s", async (host, format) => {
    await using logs = await receiveLogs({ host })
    const port = await sendTo({ format, targets: [logs.local], host }, "Zoë ★ joined", "Zoë ★ left")
    const texts: Array<string> = []
    for await (const entry of logs) {
      assert.strictEqual(entry.format, format === "source" ? "source" : "goldsource")
      assert.deepStrictEqual(entry.sender, { address: host, port })
      assert.isDefined(entry.time)
      texts.push(entry.text)
      if (texts.length === 2) break
    }
    assert.deepStrictEqual(texts, ["Zoë ★ joined", "Zoë ★ left"])
  })

  it("are dropped if their secret or their sender is wrong", async () => {
    const secret = Redacted.make("right")
    await using logs = await receiveLogs({ secret: "right", from: ["127.0.0.2"] })
    await sendTo({ secret: Redacted.make("wrong"), targets: [logs.local], host: "127.0.0.2" }, "wrong secret")
    await sendTo({ secret, targets: [logs.local] }, "wrong sender")
    await sendTo({ secret, targets: [logs.local], host: "127.0.0.2" }, "right")
    for await (const { text } of logs) {
      assert.strictEqual(text, "right")
      break
    }
    assert.include(logs.counters(), { received: 3, accepted: 1, wrongSecret: 1, wrongSender: 1 })
  })

  it("end when the receiver is closed, and the port is then free again", async () => {
    const logs = await receiveLogs()
    const reading = (async () => {
      for await (const entry of logs) assert.fail(entry.text)
    })()
    await logs.close()
    await reading
    await logs.close()
    await using again = await receiveLogs({ port: logs.local.port })
    assert.strictEqual(again.local.port, logs.local.port)
  })

  it("cannot be received on a port in use: the error is SendFailed", async () => {
    await using logs = await receiveLogs()
    const error: unknown = await receiveLogs({ port: logs.local.port }).catch((error: unknown) => error)
    assert.propertyVal(error, "_tag", "SendFailed")
  })
})
