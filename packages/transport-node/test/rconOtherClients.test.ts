/** RCON clients of other authors connect to our server, with their default settings. */
import { assert, describe, it } from "@effect/vitest"
import { makeSourceRcon } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import { createRequire } from "node:module"
import { Rcon as RconClient } from "rcon-client"
import type rconSrcds from "rcon-srcds"
import { password, PASSWORD_TEXT, transport } from "./rconSetup.ts"

// `rcon-srcds` is a CommonJS module. With `import`, it would have different exports in Node and in the test runner.
const { default: RconSrcds } = createRequire(import.meta.url)("rcon-srcds") as typeof rconSrcds

const withServer = (test: (port: number) => Promise<void>) =>
  Effect.gen(function* () {
    const server = yield* makeSourceRcon({
      password,
      port: 0,
      handler: (command) => (command === "long" ? "x".repeat(3000) : `you said ${command}`)
    })
    yield* Effect.promise(() => test(server.local.port))
  }).pipe(Effect.scoped, Effect.provide(transport))

describe("rcon-client", () => {
  it.live("logs in and runs commands", () =>
    withServer(async (port) => {
      const client = await RconClient.connect({ host: "127.0.0.1", port, password: PASSWORD_TEXT })
      assert.strictEqual(await client.send("status"), "you said status")
      assert.strictEqual(await client.send("long"), "x".repeat(3000))
      assert.strictEqual(await client.send("Zoë ★"), "you said Zoë ★")
      await client.end()
    })
  )
})

describe("rcon-srcds", () => {
  it.live("logs in and runs commands", () =>
    withServer(async (port) => {
      const client = new RconSrcds({ host: "127.0.0.1", port, encoding: "utf8" })
      await client.authenticate(PASSWORD_TEXT)
      assert.strictEqual(await client.execute("status"), "you said status")
      assert.strictEqual(await client.execute("long"), "x".repeat(3000))
      await client.disconnect()
    })
  )

  it.live("receives the rejection of a wrong password", () =>
    withServer(async (port) => {
      const client = new RconSrcds({ host: "127.0.0.1", port })
      const outcome = await client.authenticate("wrong").then(
        () => "in",
        (error: Error) => error.message
      )
      assert.strictEqual(outcome, "Unable to authenticate")
    })
  )
})
