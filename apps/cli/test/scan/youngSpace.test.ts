import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { smallYoungSpace } from "../../src/scan/youngSpace.ts"

const v8 = vi.hoisted(() => ({ size: 0, flags: [] as Array<string> }))

vi.mock("node:v8", () => ({
  getHeapSpaceStatistics: () => [
    { space_name: "old_space", space_size: 2 ** 30 },
    { space_name: "new_space", space_size: v8.size }
  ],
  setFlagsFromString: (flag: string) => v8.flags.push(flag)
}))

beforeEach(() => {
  vi.useFakeTimers()
  v8.flags.length = 0
})

afterEach(() => vi.useRealTimers())

it("a scan stops the growth of V8's space for young objects at 8 MB, and permits growth again when the scan ends", () => {
  const scan = Effect.gen(function* () {
    yield* smallYoungSpace
    v8.size = 4 * 2 ** 20
    vi.advanceTimersByTime(1000)
    expect(v8.flags).toEqual([])
    v8.size = 8 * 2 ** 20
    vi.advanceTimersByTime(1000)
    expect(v8.flags).toEqual(["--semi-space-growth-factor=1"])
  })
  Effect.runSync(Effect.scoped(scan))
  expect(v8.flags.slice(1)).toEqual(["--semi-space-growth-factor=2"])
  expect(vi.getTimerCount()).toBe(0)
})

it("a scan with few young objects does not change V8's settings", () => {
  v8.size = 2 ** 20
  Effect.runSync(
    Effect.scoped(
      Effect.andThen(
        smallYoungSpace,
        Effect.sync(() => vi.advanceTimersByTime(1000))
      )
    )
  )
  expect(v8.flags).toEqual([])
})
