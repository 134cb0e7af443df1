/**
 * Runs the store's tests with SQLite files on the current runtime, and prints the title of each passed test. Afterwards, this program opens
 * the store in the given file, adds a change, and prints the number of stored changes.
 */
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { storeSuite } from "./storeSuite.ts"

const AT = 1_795_000_000_000

const goOn = Effect.gen(function* () {
  const store = yield* Store
  yield* store.claim("test", [1])
  yield* store.enlist([{ address: "192.0.2.1:27015", slice: 1, group: "a", labels: {} }], AT)
  const [newest] = yield* store.changes({ limit: 1 })
  const target = (yield* store.watched).get("192.0.2.1:27015")!
  const at = (newest?.at ?? AT) + 1
  const change = { slice: 1, id: at * 1000, target, at, field: "map", from: "", to: "ð'\n" } as const
  yield* store.write({ known: [], changes: [change], hours: [], incidents: [], positions: new Map() })
  return (yield* store.changes({ limit: 100 })).length
})

const directory = mkdtempSync(join(tmpdir(), "sourcewire-store-"))
let files = 0
const tests: Array<readonly [string, () => Effect.Effect<void, unknown>]> = []
storeSuite(
  (title, run) => void tests.push([title, run]),
  () => {
    const file = join(directory, `${files++}.db`)
    return () => open(file)
  }
)
try {
  for (const [title, run] of tests) {
    await Effect.runPromise(run())
    process.stdout.write(`${title}\n`)
  }
} finally {
  rmSync(directory, { recursive: true })
}
const changes = await Effect.runPromise(Effect.provide(goOn, open(process.argv[2]!)))
process.stdout.write(`${changes} changes\n`)
