import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { start } from "../../src/internal/running.ts"

class Transport extends Context.Service<Transport, { readonly name: string }>()("test/Transport") {}

/** A transport that notes when it goes, and something over it that does. */
const setUp = () => {
  const ended: Array<string> = []
  const noting = (what: string) => Effect.addFinalizer(() => Effect.sync(() => ended.push(what)))
  const transport = Layer.effect(Transport, Effect.as(noting("transport"), { name: "udp" }))
  return { ended, transport, make: Effect.andThen(noting("server"), Transport) }
}

it("runs until it is closed, and ends once however often it is closed", async () => {
  const { ended, make, transport } = setUp()
  const { end, run, value } = await start(transport, make)
  assert.strictEqual(value.name, "udp")
  assert.strictEqual(await run(Effect.map(Transport, ({ name }) => name)), "udp")
  await Promise.all([end.close(), end.close()])
  await end[Symbol.asyncDispose]()
  assert.deepEqual(ended, ["server", "transport"])
})

it("leaves nothing open when it does not start", async () => {
  const { ended, make, transport } = setUp()
  const error = await start(transport, Effect.andThen(make, Effect.fail("in use"))).then(
    () => "started",
    (reason: unknown) => reason
  )
  assert.strictEqual(error, "in use")
  assert.deepEqual(ended, ["server", "transport"])
})
