/** Opens a store, writes a change, an hour and what is known of a target, reads them again, and prints how many changes there are. */
import * as Effect from "effect/Effect"
import { hourOf, HourSamples } from "../src/history/HourSamples.ts"
import { open } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { unknown } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"

const AT = 1_795_000_000_000

const program = Effect.gen(function* () {
  const store = yield* Store
  yield* store.claim("test", [1])
  yield* store.enlist([{ address: "192.0.2.1:27015", slice: 1, group: "a", labels: {} }], AT)
  const id = (yield* store.watched).get("192.0.2.1:27015")!
  const known = (yield* store.known("slices", [1])).get(id) ?? unknown()
  const hour = known.hour ?? new HourSamples(hourOf(AT))
  hour.add(AT, { players: 1, bots: 0, rttMs: 2 })
  const { asked } = hour.total()
  const change = {
    slice: 1,
    id: AT * 1000 + asked,
    target: id,
    at: AT + asked,
    field: "map",
    from: "",
    to: "ð'\n"
  } as const
  const now = { ...known, askedAt: AT, last: lastAnswer(AT), hour }
  const hours = [{ slice: 1, target: id, samples: hour }]
  const latest = [{ slice: 1, target: id, known: now }]
  yield* store.write({ atMs: AT, known: latest, changes: [change], hours, told: new Map([["a", 1]]) })
  const [first] = yield* store.hours(id, AT, AT)
  const changes = yield* store.changes({ limit: 100 })
  if (first!.total.asked !== asked || first!.fine?.total().asked !== asked) throw new Error("The hour is another one.")
  if (changes[0]!.to !== change.to || changes.length !== asked) throw new Error("The changes are others.")
  return changes.length
})

const count = await Effect.runPromise(Effect.provide(program, open(process.argv[2]!)))
process.stdout.write(`${count}\n`)
