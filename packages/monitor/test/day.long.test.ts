/**
 * A day of many targets, through what makes history of answers and a real store: the sums that are stored are those of the raw answers, a
 * day takes no more room than it should, and with retention the store does not grow.
 */
import { assert, describe, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { BUCKET_MS, HOUR_MS, hourOf } from "../src/history/HourSamples.ts"
import { samplesOf } from "../src/http/views.ts"
import { phaseOf } from "../src/schedule/rhythm.ts"
import { open } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { Keeper } from "../src/watch/Keeper.ts"
import { observe } from "../src/watch/observe.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { info } from "./answers.ts"
import { planFor } from "./lab.ts"

/** SOURCEWIRE_TARGETS=20000 for the whole campaign. */
const TARGETS = Number(process.env["SOURCEWIRE_TARGETS"] ?? 60)
const DAYS = 2
const MINUTE_MS = 60_000
const START = hourOf(1_795_000_000_000)

const directory = mkdtempSync(join(tmpdir(), "sourcewire-day-"))
afterAll(() => rmSync(directory, { recursive: true }))

const plan = planFor([
  { name: "all", targets: Array.from({ length: TARGETS }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:1`) }
])

interface Raw {
  asked: number
  answered: number
  players: number
  least: number
  most: number
  rtt: number
}

describe("a day", () => {
  it.live(`of ${TARGETS} targets, one question a minute`, () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.claim("test")
      const wanted = [...plan.targets].map(([address, { labels, name }]) => ({
        address,
        labels,
        group: name,
        slice: 0
      }))
      const stored = yield* store.enlist(wanted, START)
      const targets = [...plan.targets].map(([address, group]) => {
        const [host] = address.split(":")
        return new Watched(stored.get(address)!.id, address, { host: host!, port: 1, family: 4 }, group, unknown())
      })
      const keeper = new Keeper(store, () => undefined)
      const random = seededRandom(4)
      // Of one target in ten the raw answers are added up here too.
      const raw = new Map<string, Raw>()
      const note = (id: number, at: number, players: number | undefined, rttMs: number): void => {
        if (id % 10 !== 0) return
        for (const [step, name] of [
          [BUCKET_MS, "5m"],
          [HOUR_MS, "1h"]
        ] as const) {
          const key = `${id} ${name} ${Math.floor(at / step) * step}`
          const sums = raw.get(key) ?? { asked: 0, answered: 0, players: 0, least: 1e9, most: 0, rtt: 0 }
          raw.set(key, sums)
          sums.asked++
          if (players === undefined) continue
          sums.answered++
          sums.players += players
          sums.least = Math.min(sums.least, players)
          sums.most = Math.max(sums.most, players)
          sums.rtt += Math.round(rttMs * 1000)
        }
      }
      const sizes: Array<number> = []
      let id = START * 1000
      for (let minute = 0; minute < DAYS * 24 * 60; minute++) {
        const now = START + minute * MINUTE_MS
        for (const target of targets) {
          const at = Math.floor(now + phaseOf(target.address) * MINUTE_MS)
          const isThere = random() < 0.97
          const players = Math.floor(random() * 32)
          const rttMs = 5 + random() * 90
          note(target.id, at, isThere ? players : undefined, rttMs)
          const where = { target, address: target.host, port: 1, sent: 2, received: 2 }
          const map = minute % 40 < 20 ? "de_dust2" : "cs_office"
          const { changes, finished } = isThere
            ? observe(target, { _tag: "Answered", ...where, rttMs, info: { ...info, players, bots: 0, map } }, at)
            : observe(target, { _tag: "Failed", ...where, error: { _tag: "Timeout", message: "" } as never }, at)
          for (const change of changes) keeper.add({ id: id++, target: target.id, ...change })
          if (finished !== undefined) keeper.finish(target, finished)
          keeper.touch(target)
        }
        yield* keeper.flush
        if (minute % 60 !== 59) continue
        // A day is kept here, so the second one takes the room of the first.
        yield* keeper.prune({ fineDays: 1, hourlyDays: 1, changeDays: 1 }, now)
        sizes.push(statSync(join(directory, "day.db")).size)
      }
      assert.strictEqual(keeper.trouble, undefined)

      const end = START + DAYS * 24 * HOUR_MS
      let compared = 0
      for (const target of targets.filter((one) => one.id % 10 === 0)) {
        const hours = yield* store.hours(target.id, 0, end)
        for (const [step, name] of [
          [BUCKET_MS, "5m"],
          [HOUR_MS, "1h"]
        ] as const) {
          for (const sample of samplesOf(hours, target.known.hour, step)) {
            const sums = raw.get(`${target.id} ${name} ${sample.at}`)!
            assert.deepInclude(sample, { asked: sums.asked, answered: sums.answered })
            assert.deepStrictEqual(
              sample.players,
              sums.answered === 0 ? undefined : { min: sums.least, mean: sums.players / sums.answered, max: sums.most }
            )
            if (sums.answered > 0) assert.strictEqual(sample.rttMs!.mean, sums.rtt / sums.answered / 1000)
            compared++
          }
        }
      }
      assert.isAtLeast(compared, (TARGETS / 10) * 24 * 13)
      const [first, last] = [sizes[23]!, sizes.at(-1)!]
      const perTarget = first / TARGETS
      process.stdout.write(
        `${Math.round(perTarget)} bytes per target after a day, ${Math.round(last / TARGETS)} after two\n`
      )
      // Of that some 5 kB are the 72 changes of map, and 1 kB what is known now.
      assert.isBelow(perTarget, 24 * 800)
      assert.isBelow(last, 1.15 * first)
    }).pipe(Effect.provide(open(join(directory, "day.db"))))
  )
})
