import { assert, describe, it } from "@effect/vitest"
import { Rcon } from "@sourcewire/core"
import { RconServer } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as NodeStreams from "../src/NodeStreams.ts"

const password = Redacted.make("probe pw")

describe("Source RCON over TCP", () => {
  it.live("logs in and runs a command", () =>
    Effect.gen(function* () {
      const server = yield* RconServer.startSource({
        password,
        bind: { port: 0 },
        handler: (command) => `you said ${command}\n`
      })
      const rcon = yield* Rcon.connect(`127.0.0.1:${server.address.port}`, { password, engine: "source" })
      assert.strictEqual(yield* rcon.exec("status"), "you said status\n")
    }).pipe(Effect.scoped, Effect.provide(NodeStreams.layer))
  )
})
