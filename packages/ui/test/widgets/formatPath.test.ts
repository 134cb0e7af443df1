import { expect, it } from "vitest"
import { formatPath } from "../../src/widgets/index.ts"

it("formatPath leaves a gap if a value is missing", () => {
  const points = [1, 2, undefined, 4].map((value, at) => ({ at, value }))
  const same = (value: number): number => value
  expect(formatPath(points, same, same)).toBe("M0.0 1.0L1.0 2.0h0M3.0 4.0h0")
  expect(formatPath(points, same, same, 9)).toBe("M0.0 9L0.0 1.0L1.0 2.0V9ZM3.0 9L3.0 4.0V9Z")
})
