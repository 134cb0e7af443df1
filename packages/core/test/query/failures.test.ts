/** Stack traces of query errors. */
import { expect, it } from "@effect/vitest"
import { timeout } from "../../src/query/failures.ts"

it("a timeout has no stack frames, and errors that are created afterwards have stack frames", () => {
  const { stack } = timeout("A2S_INFO", "request", 1000, 3, 0)
  expect(stack).toMatch(/^Timeout|^Error/)
  expect(stack).not.toContain("\n    at ")
  expect(new Error("another").stack).toContain("\n    at ")
})
