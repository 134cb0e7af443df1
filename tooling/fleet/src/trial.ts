/**
 * `pnpm bench:fleet`: what a fleet of real processes on loopback, over a real Postgres, does and stands; with `--write` as a page of the
 * docs. Wants a machine that does nothing else, Postgres in PATH, and `pnpm build` before.
 *
 *   pnpm bench:fleet [--times N] [--rate TARGETS_PER_SECOND] [--away MS] [--write]
 */
import { setTimeout as sleep } from "node:timers/promises"
import { join } from "node:path"
import { count, median, note, options, report, root, type Table, verdict } from "../../bench/report.ts"
import { beginAudit } from "./audit.ts"
import { makeFleet, type Runner, startWorld } from "./fleet.ts"
import { balanced, freeze, kill, type Outcome, outage, type Place } from "./trials.ts"

const { away: awayMs, rate, times, write } = options({ times: 20, rate: 5000, away: 60_000 })
const program = [process.execPath, join(root, "apps/cli/dist/sourcewire.js")]

/** Asks as many as it may, with one runner, two and four; gives targets a second. */
const scale = async (): Promise<ReadonlyArray<readonly [runners: number, perSecond: number]>> => {
  // A little more than four of them can ask.
  const world = await startWorld(240, Math.ceil((4.4 * rate) / 240), 60_000)
  const fleet = await makeFleet(program, world.targets, { intervalMs: 1000 })
  const runners: Array<Runner> = []
  const rows: Array<readonly [number, number]> = []
  try {
    for (const count of [1, 2, 4]) {
      while (runners.length < count) {
        runners.push(await fleet.start(`runner-${runners.length}`, ["--rate", String(rate)]))
      }
      await balanced({ fleet, intervalMs: 1000, runners, world })
      await sleep(3000)
      await world.asked()
      const began = performance.now()
      await sleep(10_000)
      const { length } = await world.asked()
      rows.push([count, (1000 * length) / (performance.now() - began)])
    }
    return rows
  } finally {
    await fleet.stop()
    await world.stop()
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

const INTERVAL_MS = 15_000
const scaled = await scale()
const world = await startWorld(240, 10, 20_000)
const servers = world.targets.length

const row = (name: string, outcomes: ReadonlyArray<Outcome>): Table[number] => {
  const of = (value: (outcome: Outcome) => number): ReadonlyArray<number> => outcomes.map(value)
  const pauses = of(({ slicePauseMs }) => slicePauseMs)
  const twice = of((outcome) => (100 * outcome.twice) / servers)
  return [
    name,
    outcomes.length,
    `${seconds(median(pauses))}, ${seconds(Math.max(...pauses))}`,
    seconds(Math.max(...of(({ serverPauseMs }) => serverPauseMs))),
    `${median(twice).toFixed(2)}, ${Math.max(...twice).toFixed(2)}`
  ]
}

const fleet = await makeFleet(program, world.targets, { intervalMs: INTERVAL_MS })
const place: Place = { fleet, intervalMs: INTERVAL_MS, runners: [], world }
try {
  for (const name of ["one", "two", "three", "four"]) place.runners.push(await fleet.start(name))
  beginAudit(fleet.postgres.url())
  const repeat = async (trial: (index: number) => Promise<Outcome>): Promise<ReadonlyArray<Outcome>> => {
    const outcomes: Array<Outcome> = []
    for (let index = 0; index < times; index++) {
      outcomes.push(await trial(index))
      note(".")
    }
    return outcomes
  }
  const killed = await repeat((index) => kill(place, index))
  const frozen = await repeat((index) => freeze(place, index))
  const restarted = await outage(place, 0)
  const away = await outage(place, awayMs)
  const all = [...killed, ...frozen, restarted, away]
  const longest = Math.max(...killed.map(({ slicePauseMs }) => slicePauseMs))
  const mostTwice = Math.max(...killed.map(({ twice }) => twice / servers))
  const recovered = Math.max(restarted.recoveredMs, away.recoveredMs)
  report({
    title: "A fleet of monitors",
    file: "docs/benchmarks/fleet.md",
    about: `Four processes of \`sourcewire monitor --join\` on loopback, over one Postgres, watch ${count(servers)} servers, each once in ${INTERVAL_MS / 1000} s. Made by \`pnpm bench:fleet --write\`; how it works is in [ADR 17](../adr/0017-fleet.md). A pause of a slice is bounded by the 6 s after which a silent runner counts as dead, the second in which others look, and the claim; a pause of a server by that and its interval.`,
    table: [
      [
        "trial",
        "times",
        "longest pause of a slice, s: median, most",
        "of a server, s",
        "asked twice in a round, %: median, most"
      ],
      row("one is killed (SIGKILL)", killed),
      row("one is stopped (SIGSTOP) until others have its slices, and 2 s more", frozen),
      row("the database is restarted", [restarted]),
      row(`the database is away for ${seconds(awayMs)} s`, [away])
    ],
    notes: [
      verdict(`Every slice is asked again within ${seconds(longest)} s of a death; 15 may be.`, longest <= 15_000),
      verdict(
        `Of a death at most ${(100 * mostTwice).toFixed(2)} % are asked twice in a round; 0.1 may be.`,
        mostTwice <= 0.001
      ),
      verdict(
        `Rows written by a runner that did not own their slice, as a trigger of the database saw it: ${all.at(-1)!.foreignWrites}.`,
        all.at(-1)!.foreignWrites === 0
      ),
      verdict(
        `Of ${count(all.at(-1)!.changes)} changes, those of maps that do not begin with what the one before ended with (told twice, or lost): ${all.at(-1)!.brokenChains}.`,
        all.at(-1)!.brokenChains === 0
      ),
      verdict(
        `After the database is back every server is current again within ${seconds(recovered)} s; two intervals may be.`,
        recovered <= 2 * INTERVAL_MS
      ),
      verdict(`Runners that ended because of the database: ${away.died}.`, away.died === 0),
      ...scaled.map(([runners, perSecond]) =>
        verdict(
          `${runners} held to ${count(rate)} targets a second each ask ${count(Math.round(perSecond))}; within 5 % of ${count(runners * rate)} they should.`,
          Math.abs(perSecond / (runners * rate) - 1) <= 0.05
        )
      )
    ],
    write
  })
} finally {
  await fleet.stop()
  await world.stop()
}
