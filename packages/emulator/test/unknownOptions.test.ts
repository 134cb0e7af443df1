/** An emulated server rejects unknown options, including unknown options in its faults and in its profile. */
import { expect, it } from "vitest"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { InvalidOption } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import { profiles, startServer } from "../src/index.ts"

const transport = networkLayer(Effect.runSync(makeNetwork()))

it.each([
  ["profiles", "profile", { profiles: "css" }],
  ["faults.delay", "faults.delayMs", { faults: { delay: 1500 } }],
  ["faults.dropfirst", "faults.dropFirst", { faults: { dropfirst: 1 } }],
  ["limit.perSeconds", "limit.perSecond", { limit: { perSecond: 1, perSeconds: 1 } }],
  ["responder.onerror", "responder.onError", { responder: { onerror: () => {} } }],
  ["profile.plyers", "profile.players", { profile: { ...profiles.css(), plyers: undefined } }]
])("an emulated server rejects the option %s, and the error suggests %s", async (option, meant, options) => {
  const error: unknown = await startServer({ transport, ...options } as never).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(InvalidOption)
  expect(error).toMatchObject({ option, message: `There is no option ${option}. Did you mean ${meant}?` })
})

it("a profile rejects the option `peoples`, and the error suggests `people`", () => {
  expect(() => profiles.css({ peoples: 5 } as never)).toThrow(/Did you mean people\?/)
})
