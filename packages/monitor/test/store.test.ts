import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../src/store/index.ts"
import * as sqlite from "../src/store/sqlite.ts"
import { layer, locationLayer } from "../src/store/sqlStore.ts"
import { SLICES, findSlice } from "../src/store/slices.ts"
import { Store } from "../src/store/Store.ts"
import { unknown } from "../src/watch/Watched.ts"
import { sqlSuite } from "./sqlSuite.ts"
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

describe("a store in SQLite with malformed or unusual rows", () => {
  sqlSuite(it.live, () => {
    const file = join(directory, `${files++}.db`)
    return () => Layer.provideMerge(layer, sqlite.layer(file))
  })
})

it.live("opening a store fails with an explanation if the folder does not exist", () =>
  Effect.gen(function* () {
    const failure = yield* Effect.flip(Effect.provide(Store, open(join(directory, "no", "such", "file.db"))))
    expect(failure._tag).toBe("StoreFailed")
    expect(failure.message).toMatch(/^Cannot open the store .*file\.db/)
  })
)

it.live.each<readonly [name: string, content: string]>([
  ["a text", "This is a text, which is longer than the header of a database.\n".repeat(20)],
  ["a header of SQLite without a database", `SQLite format 3\0${"x".repeat(1000)}`]
])("opening a store fails with an explanation if the file contains %s, and the file does not change", ([, text]) =>
  Effect.gen(function* () {
    const file = join(directory, `${files++}.db`)
    writeFileSync(file, text)
    const failure = yield* Effect.flip(Effect.provide(Store, open(file)))
    expect(failure._tag).toBe("StoreFailed")
    expect(failure.message).toBe(`Cannot use the store ${file}: the file is not an SQLite database.`)
    expect(readFileSync(file, "utf8")).toBe(text)
  })
)

it.live("a store contains the state of a target and the owner of a slice separately for each location", () =>
  Effect.gen(function* () {
    const file = join(directory, `${files++}.db`)
    const opened = (location?: number) =>
      Effect.map(
        Layer.build(Layer.provide(location === undefined ? layer : locationLayer(location), sqlite.layer(file))),
        (context) => Context.get(context, Store)
      )
    const [all, first, second, elsewhere] = yield* Effect.all([opened(), opened(1), opened(1), opened(2)])
    yield* all.enlist([{ address: "192.0.2.1:27015", slice: 7, group: "a", labels: {} }], 1)
    const target = (yield* all.watched).get("192.0.2.1:27015")!
    for (const [i, store] of [all, first, elsewhere].entries()) expect(yield* store.claim(`${i}`, [7])).toEqual([7])
    const write = (store: typeof Store.Service, failures: number) =>
      store.write({
        known: [{ slice: 7, target, known: { ...unknown(), failures } }],
        changes: [{ slice: 7, id: failures, target, at: failures, field: "state", from: "up", to: "down" }],
        hours: [],
        incidents: [],
        positions: new Map()
      })
    const failures = (store: typeof Store.Service) =>
      Effect.map(store.known("slices", [7]), (known) => known.get(target)?.failures)
    yield* write(all, 1)
    yield* write(first, 2)
    yield* write(elsewhere, 3)
    expect(yield* Effect.all([all, first, elsewhere].map(failures))).toEqual([1, 2, 3])
    // The stores of locations have no history of changes.
    expect(yield* all.changes({ limit: 9 })).toHaveLength(1)
    expect(yield* second.claim("second", [7])).toEqual([7])
    expect(yield* write(first, 4)).toEqual([7])
    expect(yield* failures(second)).toBe(2)
    expect(yield* write(all, 5)).toEqual([])
    expect(yield* write(elsewhere, 6)).toEqual([])
    // The store of a location publishes no plan, and does not change the targets.
    expect(yield* second.publish("{}", [], 1)).toBe(0)
    expect(yield* all.published(-1)).toBeUndefined()
    expect([...(yield* all.watched).keys()]).toEqual(["192.0.2.1:27015"])
  }).pipe(Effect.scoped)
)

describe("slices", () => {
  it("all addresses of a network are in the same slice", () => {
    const of = (host: string, family: 4 | 6): number => findSlice({ host, port: 1, family })
    expect(of("192.0.2.1", 4)).toBe(of("192.0.2.200", 4))
    expect(of("192.0.2.1", 4)).not.toBe(of("192.0.3.1", 4))
    expect(of("2001:db8:1::1", 6)).toBe(of("2001:db8:1:ffff::9", 6))
    const used = new Set(Array.from({ length: 5000 }, (_, i) => of(`10.${i >> 8}.${i & 255}.1`, 4)))
    expect(used.size).toBe(SLICES)
  })
})
