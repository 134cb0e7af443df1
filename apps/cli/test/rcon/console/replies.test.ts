import { expect, it } from "vitest"
import { Replies } from "../../../src/rcon/console/replies.ts"

it("keeps the newest replies when there are too many", () => {
  const replies = new Replies()
  for (let i = 0; i < 10_000; i++) replies.remember(`${i} ${"x".repeat(1000)}`)
  expect(replies.newestFirst[0]).toMatch(/^9999 /)
  expect(replies.holding("X").length).toBeGreaterThan(4000)
  expect(replies.holding("X").length).toBeLessThan(9000)
})
