import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { readSettings } from "../../src/client/settings.ts"

it("the settings of a call override the client's settings, and the client's settings override the defaults", () => {
  expect(Result.getOrThrow(readSettings(undefined, undefined))).toMatchObject({
    timeoutMs: 3000,
    retries: 8,
    encoding: "auto"
  })
  const client = { timeoutMs: 500, encoding: "latin1" } as const
  expect(Result.getOrThrow(readSettings({ timeoutMs: 100, retries: 0 }, client))).toMatchObject({
    timeoutMs: 100,
    retries: 0,
    encoding: "latin1"
  })
})

it.each([
  ["timeoutMs", 0],
  ["timeoutMs", -1],
  ["timeoutMs", Number.NaN],
  ["timeoutMs", Number.POSITIVE_INFINITY],
  ["timeoutMs", "3000"],
  ["retries", -1],
  ["retries", 1.5],
  ["retries", "2"],
  ["encoding", "utf-7"],
  ["family", 5]
])("an invalid setting is rejected: %s = %j", (option, value) => {
  const result = readSettings({ [option]: value } as object, undefined)
  expect(Result.isFailure(result) && result.failure).toMatchObject({ _tag: "InvalidOption", option })
})
