/**
 * Leaves out tests that say in their name that they ask the same question of thousands of inputs: with one changed source after
 * the other they would take days, and what only they notice deserves a test that says it.
 */
import { beforeEach } from "vitest"

beforeEach(({ skip, task }) => {
  if (/\d \d{3}\b/.test(task.name)) skip()
})
