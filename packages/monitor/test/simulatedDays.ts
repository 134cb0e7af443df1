/**
 * Simulates a monitor that queries many targets once per minute for several days, in virtual time. The simulation writes the history of
 * the replies to a real store. For every tenth target, the simulation compares the stored samples with sums of the raw replies.
 */
import { seededRandom } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { BUCKET_MS, HOUR_MS, startOfHour } from "../src/history/HourSamples.ts"
import { listSamples } from "../src/http/views.ts"
import { choosePhase } from "../src/schedule/rhythm.ts"
import { ALL_SLICES } from "../src/store/slices.ts"
import { Store } from "../src/store/Store.ts"
import { StoreWriter } from "../src/watch/StoreWriter.ts"
import { observe } from "../src/watch/observe.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { info } from "./answers.ts"
import { planFor } from "./lab.ts"

const MINUTE_MS = 60_000
const START = startOfHour(1_795_000_000_000)
const STEPS = [BUCKET_MS, HOUR_MS] as const

/** Two simulated groups of servers, which differ in their player counts and in how often their maps change. */
export const WORLDS = {
  /** All servers have players. The number of players and the round-trip time vary widely, and the map changes three times per hour. */
  busiest: { busy: 1, mapMinutes: 20, jitterMs: 90 },
  /** One server in five has players, and changes its map every half hour. The other servers are empty. */
  usual: { busy: 0.2, mapMinutes: 30, jitterMs: 4 }
} as const

/** The options of a simulation. */
export interface Days {
  readonly targets: number
  readonly hours: number
  readonly world: keyof typeof WORLDS
  /** Runs at the end of each hour. */
  readonly atHour: (hour: number) => Effect.Effect<void>
}

/**
 * The queries and replies of a target in a period: their numbers, and the sums, the minimum and the maximum of the values in the replies.
 */
interface Raw {
  asked: number
  answered: number
  players: number
  least: number
  most: number
  rtt: number
}

const noRaw = (): Raw => ({ asked: 0, answered: 0, players: 0, least: 1e9, most: 0, rtt: 0 })

const expected = ({ answered, asked, least, most, players, rtt }: Raw) =>
  answered === 0
    ? [asked, 0, undefined, undefined]
    : [asked, answered, { min: least, mean: players / answered, max: most }, rtt / answered / 1000]

/**
 * Runs the simulation. Returns the number of samples that were compared with the raw replies, and a list of the samples that differ from
 * the raw replies.
 */
export const simulateDays = Effect.fnUntraced(function* ({ atHour, hours, targets: count, world }: Days) {
  const { busy, jitterMs, mapMinutes } = WORLDS[world]
  const addresses = Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:1`)
  const plan = planFor([{ name: "all", targets: addresses, intervalMs: MINUTE_MS }])
  const store = yield* Store
  yield* store.claim("simulation", ALL_SLICES)
  const wanted = addresses.map((address) => ({ address, labels: {}, group: "all", slice: 0 }))
  yield* store.enlist(wanted, START)
  const ids = yield* store.watched
  const random = seededRandom(4)
  const servers = [...plan.targets].map(([address, group]) => {
    const where = { host: address.split(":")[0]!, port: 1, family: 4 } as const
    const target = new Watched(ids.get(address)!, address, where, group, unknown())
    return { target, isBusy: random() < busy, nearMs: 5 + random() * 90, mapAt: Math.floor(random() * mapMinutes) }
  })
  const writer = new StoreWriter({ store, onEvent: () => undefined, onLost: () => undefined })
  const raw = new Map<string, Raw>()
  const note = (id: number, at: number, players: number | undefined, rttMs: number): void => {
    for (const step of STEPS) {
      const key = `${id} ${step} ${Math.floor(at / step) * step}`
      const sums = raw.get(key) ?? noRaw()
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
  let id = 0
  for (let minute = 0; minute < hours * 60; minute++) {
    const now = START + minute * MINUTE_MS
    for (const { isBusy, mapAt, nearMs, target } of servers) {
      const at = Math.floor(now + choosePhase(target.address) * MINUTE_MS)
      const isThere = random() < 0.97
      const players = isBusy ? Math.floor(random() * 32) : 0
      const rttMs = nearMs + random() * jitterMs
      if (target.id % 10 === 0) note(target.id, at, isThere ? players : undefined, rttMs)
      const where = { target, address: target.host, port: 1, sent: 2, received: 2 }
      const map = isBusy && Math.floor((minute + mapAt) / mapMinutes) % 2 === 0 ? "cs_office" : "de_dust2"
      const { changes, finished } = isThere
        ? observe(target, { _tag: "Answered", ...where, rttMs, info: { ...info, players, bots: 0, map } }, at)
        : observe(target, { _tag: "Failed", ...where, error: { _tag: "Timeout", message: "" } as never }, at)
      for (const change of changes) {
        id = Math.max(id + 1, now * 1000)
        writer.addChange(target, { id, target: target.id, ...change })
      }
      for (const hour of finished) writer.addHour(target, hour)
      writer.touch(target)
    }
    yield* writer.flush
    if (writer.error !== undefined) return yield* Effect.die(writer.error)
    if (minute % 60 !== 59) continue
    // Retention removes rows that are older than one day. Therefore the history of the second day replaces the history of the first day.
    yield* writer.prune({ fineDays: 1, hourlyDays: 1, changeDays: 1 }, now, HOUR_MS)
    yield* atHour((minute + 1) / 60)
  }

  let compared = 0
  const others: Array<string> = []
  for (const { target } of servers) {
    if (target.id % 10 !== 0) continue
    const kept = yield* store.hours(target.id, 0, START + hours * HOUR_MS)
    for (const step of STEPS) {
      for (const { answered, asked, at, players, rttMs } of listSamples(kept, target.known.hour, step)) {
        const wantedSample = expected(raw.get(`${target.id} ${step} ${at}`) ?? noRaw())
        if (JSON.stringify([asked, answered, players, rttMs?.mean]) !== JSON.stringify(wantedSample)) {
          others.push(`${target.address} ${step} ${at}`)
        }
        compared++
      }
    }
  }
  return { compared, others }
})
