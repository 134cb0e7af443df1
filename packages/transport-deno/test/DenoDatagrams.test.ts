/** Tests the error of the Deno transport on Node. On Deno, the conformance suite in `tooling/conformance` tests the transport. */
import { assert, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { layer } from "../src/effect.ts"

it.effect("on a runtime other than Deno, the transport reports that it needs Deno", () =>
  Effect.gen(function* () {
    const { open } = yield* Datagrams
    const error = yield* Effect.flip(open({ family: 4 }, { onDatagram: () => {}, onFault: () => {} }))
    assert.strictEqual(error._tag, "SendFailed")
    assert.include(error.message, "--unstable-net")
  }).pipe(Effect.scoped, Effect.provide(layer))
)
