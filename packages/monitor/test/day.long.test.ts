/**
 * Simulates 30 hours in which a monitor queries some targets and stores the results in a SQLite file. Then the test checks these facts:
 *
 * - The stored sums equal the sums of the raw replies.
 * - One day of history does not exceed its maximum size.
 * - With retention, the store does not grow after the first day.
 *
 * `pnpm bench monitor` runs the same simulation with 20,000 targets, also in Postgres.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { open } from "../src/store/index.ts"
import { simulateDays } from "./simulatedDays.ts"

const TARGETS = 60

const directory = mkdtempSync(join(tmpdir(), "sourcewire-day-"))
afterAll(() => rmSync(directory, { recursive: true }))

describe("a store after 30 hours", () => {
  it.live(`contains the correct samples, and needs little space (${TARGETS} targets, one query per minute)`, () =>
    Effect.gen(function* () {
      const empty = join(directory, "empty.db")
      yield* Effect.provide(Effect.void, open(empty), { local: true })
      const sizes: Array<number> = []
      const atHour = () => Effect.sync(() => void sizes.push(statSync(join(directory, "day.db")).size))
      const { compared, others } = yield* simulateDays({ targets: TARGETS, hours: 30, world: "busiest", atHour })
      assert.deepStrictEqual(others, [])
      assert.isAtLeast(compared, (TARGETS / 10) * 24 * 13)
      const [first, last] = [sizes[23]!, sizes.at(-1)!]
      // Each target may need 13.7 kB. This limit includes about 5 kB for 72 changes of the map, 1 kB for the current state, and 0.5 kB
      // for the time in each state.
      assert.isBelow((first - statSync(empty).size) / TARGETS, 13_700)
      assert.isBelow(last, 1.15 * first)
    }).pipe(Effect.provide(open(join(directory, "day.db"))))
  )
})
