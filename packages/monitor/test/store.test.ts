/** The store in SQLite. */
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../src/store/index.ts"
import { SLICES, sliceOf } from "../src/store/slices.ts"
import { Store } from "../src/store/Store.ts"
import { storeSuite } from "./storeSuite.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-store-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
describe("a store in SQLite", () => {
  storeSuite(it.live, () => {
    const file = join(directory, `${files++}.db`)
    return () => open(file)
  })
})

it.live("says what is wrong with a file that is none", () =>
  Effect.gen(function* () {
    const failure = yield* Effect.flip(Effect.provide(Store, open(join(directory, "no", "such", "file.db"))))
    expect(failure._tag).toBe("StoreFailed")
    expect(failure.message).toMatch(/file\.db cannot be opened/)
  })
)

describe("slices", () => {
  it("hold a network each", () => {
    const of = (host: string, family: 4 | 6): number => sliceOf({ host, port: 1, family })
    expect(of("192.0.2.1", 4)).toBe(of("192.0.2.200", 4))
    expect(of("192.0.2.1", 4)).not.toBe(of("192.0.3.1", 4))
    expect(of("2001:db8:1::1", 6)).toBe(of("2001:db8:1:ffff::9", 6))
    const used = new Set(Array.from({ length: 5000 }, (_, i) => of(`10.${i >> 8}.${i & 255}.1`, 4)))
    expect(used.size).toBe(SLICES)
  })
})
