import { expect, it } from "vitest"
import { walk } from "../src/walk.ts"

it("a walk reports each step, including those after a failure, and succeeds only if all do", async () => {
  const good = { name: "one", find: () => Promise.resolve("found") }
  const bad = { name: "another", find: () => Promise.reject(new Error("missing")) }
  const told: Array<string> = []
  expect(await walk([good, bad, good], (line) => told.push(line))).toBe(false)
  expect(told).toEqual(["✓ one      found", "✗ another  missing", "✓ one      found"])
  expect(await walk([good], () => undefined)).toBe(true)
})
