/** Stack traces of query errors. */
import { expect, it } from "@effect/vitest"
import { timeout } from "../../src/query/failures.ts"

it("timeouts have no stack frames, but other errors have stack frames", () => {
  const { stack } = timeout("A2S_INFO", "request", 1000, 3, 0)
  expect(stack).toMatch(/^Timeout|^Error/)
  expect(stack).not.toContain("\n    at ")
  expect(new Error("another").stack).toContain("\n    at ")
})
