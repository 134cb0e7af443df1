/** Repeats trials with a fleet, and summarizes the results of the trials as a table and sentences. */
import { count, median, note, type Table, verdict } from "../../bench/Bench.ts"
import { beginAudit, questionsStored } from "./audit.ts"
import { strangeConnections } from "./connections.ts"
import { type Fleet, makeFleet, type Runner, startWorld } from "./fleet.ts"
import { freeze, kill, type Outcome, outage, type Place } from "./trials.ts"
import { startListener } from "./listener.ts"

/** The interval at which the targets are queried in most trials. It is so short that one trial takes only half a minute. */
const INTERVAL_MS = 6000
const OUTAGE_INTERVAL_MS = 10_000
const NETWORKS = 240
const SERVERS_OF_NETWORK = 20
/**
 * Number of servers whose changes are sent to webhooks. The number is small, because the monitor limits the number of requests to a
 * webhook.
 */
const REPORTED_SERVERS = 100
const RUNNERS = 4
const MAP_MS = 20_000
const MOST_PAUSE_MS = 15_000
const MOST_TWICE = 0.001

/** Converts milliseconds to seconds, with one decimal place. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const percent = (share: number): string => (100 * share).toFixed(2)

/** Options of a fleet and of its runners. */
interface Beginning {
  readonly program: ReadonlyArray<string>
  readonly intervalMs: number
  /**
   * Called before the fleet is created, with the addresses of all servers. Returns additional settings for the configuration file (default:
   * none).
   */
  readonly more?: (targets: ReadonlyArray<string>) => object
  /**
   * The locations, which are assigned to the runners in turn. Together, the runners of one location query every server. Absent if there
   * are no locations.
   */
  readonly locations?: ReadonlyArray<string>
  /**
   * Called once for each runner, with the number of this runner (the first is 0). Starts the runner (default: with the fleet's program).
   */
  readonly start?: (fleet: Fleet, number: number) => Promise<Runner>
}

/** Starts a fleet of four runners, calls `use`, and stops the fleet when `use` has finished. */
export const withFleet = async <A>(
  { intervalMs, locations = [], more = () => ({}), program, start }: Beginning,
  use: (place: Place) => Promise<A>
): Promise<A> => {
  const world = await startWorld(NETWORKS, SERVERS_OF_NETWORK, MAP_MS)
  const askers = Math.max(1, locations.length)
  // The setting `locations` is written only if there are several locations, because an older program may not support this setting.
  const settings = { intervalMs, ...(askers > 1 ? { locations: askers } : {}) }
  const fleet = await makeFleet(program, world.targets, settings, more(world.targets))
  const usual: Beginning["start"] = (_, number) => {
    const location = locations[number % askers]
    return fleet.start(`runner-${number}`, location === undefined ? [] : ["--location", location])
  }
  try {
    const place: Place = { fleet, intervalMs, askers, runners: [], world }
    for (let number = 0; number < RUNNERS; number++) place.runners.push(await (start ?? usual)(fleet, number))
    beginAudit(fleet.postgres.url())
    return await use(place)
  } finally {
    await fleet.stop()
    await world.stop()
  }
}

export const repeated = async <A extends Outcome>(
  times: number,
  trial: (index: number) => Promise<A>
): Promise<ReadonlyArray<A>> => {
  const outcomes: Array<A> = []
  for (let index = 0; index < times; index++) {
    outcomes.push(await trial(index))
    note(".")
  }
  return outcomes
}

export const most = <A extends Outcome>(outcomes: ReadonlyArray<A>, of: (outcome: A) => number): number =>
  Math.max(...outcomes.map(of))

/** The header of a table of trials. */
export const HEAD = [
  "trial",
  "times",
  "longest pause of a slice, s: median, maximum",
  "longest pause of a server, s",
  "servers queried twice in a round, %: median, maximum"
]

export const row = (name: string, outcomes: ReadonlyArray<Outcome>): Table[number] => {
  const pauses = outcomes.map(({ slicePauseMs }) => slicePauseMs)
  const twice = outcomes.map((outcome) => outcome.twice / outcome.servers)
  return [
    name,
    outcomes.length,
    `${seconds(median(pauses))}, ${seconds(Math.max(...pauses))}`,
    seconds(most(outcomes, ({ serverPauseMs }) => serverPauseMs)),
    `${percent(median(twice))}, ${percent(Math.max(...twice))}`
  ]
}

const servers = (outcomes: ReadonlyArray<Outcome>, intervalMs = INTERVAL_MS): string =>
  `${count(outcomes[0]!.servers)} servers, each queried every ${intervalMs / 1000} s.`

const noForeignWrites = (outcomes: ReadonlyArray<Outcome>): string => {
  const { foreignWrites } = outcomes.at(-1)!
  return verdict(
    `Rows that an instance wrote without owning the row's slice: ${foreignWrites} of ${count(outcomes.at(-1)!.audited)} rows that the triggers checked.`,
    foreignWrites === 0
  )
}

/** Reports in a sentence how many map changes were stored twice or lost. */
export const noBrokenChains = ({ brokenChains, changes }: Pick<Outcome, "brokenChains" | "changes">): string =>
  verdict(
    `Changes of map that were stored twice or lost: ${brokenChains} of ${count(changes)} changes.`,
    brokenChains === 0
  )

/** Kills one of four runners in each trial. */
export const kills = (program: ReadonlyArray<string>, times: number) =>
  withFleet({ program, intervalMs: INTERVAL_MS }, async (place) => {
    const before = questionsStored(place.fleet.postgres.url())
    const outcomes = await repeated(times, (index) => kill(place, index))
    const stored = questionsStored(place.fleet.postgres.url()) - before
    const asked = outcomes.reduce((sum, { questions }) => sum + questions, 0)
    const longest = most(outcomes, ({ slicePauseMs }) => slicePauseMs)
    const twice = most(outcomes, (outcome) => outcome.twice / outcome.servers)
    const pause = `After an instance is killed, every slice is queried again within ${seconds(longest)} s (limit: 15 s).`
    return {
      table: [HEAD, row("one of four instances is killed", outcomes)],
      notes: [
        servers(outcomes),
        verdict(pause, longest <= MOST_PAUSE_MS),
        verdict(
          `At most ${percent(twice)} % of the servers are queried twice in a round (limit: 0.1 %).`,
          twice <= MOST_TWICE
        ),
        `Queries sent during the trials: ${count(asked)}. Queries added to the history during and between the trials: ${count(stored)}.`,
        noForeignWrites(outcomes),
        noBrokenChains(outcomes.at(-1)!)
      ]
    }
  })

/** The names of the two locations in a fleet with locations. */
const LOCATIONS = ["east", "west"]

/**
 * In each trial, pauses the process of one runner, and continues the process later. The trials run first in a fleet without locations, and
 * then in a fleet with two locations.
 */
export const freezes = async (program: ReadonlyArray<string>, times: number) => {
  const frozen = (locations: ReadonlyArray<string>) =>
    withFleet({ program, intervalMs: INTERVAL_MS, locations }, (place) =>
      repeated(times, (index) => freeze(place, index))
    )
  const together = await frozen([])
  const apart = await frozen(LOCATIONS)
  return {
    table: [
      HEAD,
      row("one of four instances is frozen and resumes", together),
      row("the same, in two locations that each query every server", apart)
    ],
    notes: [
      servers(together),
      noForeignWrites(together),
      noBrokenChains(together.at(-1)!),
      `In two locations: ${noForeignWrites(apart)}`,
      `In two locations: ${noBrokenChains(apart.at(-1)!)}`
    ]
  }
}

/**
 * Runs trials in which the database is unavailable. In the first trials (a quarter of `times`), the database is only restarted. In the last
 * trial, the database is stopped for `awayMs`.
 */
export const outages = async (program: ReadonlyArray<string>, times: number, awayMs: number) => {
  const listener = await startListener()
  const webhook = {
    name: "all",
    url: listener.url,
    events: ["map"],
    groups: ["reported"],
    allowLocal: true,
    perMinute: 600
  }
  const more = (targets: ReadonlyArray<string>): object => ({
    webhooks: [webhook],
    groups: [
      { name: "reported", targets: targets.slice(0, REPORTED_SERVERS), intervalMs: OUTAGE_INTERVAL_MS },
      { name: "all", targets: targets.slice(REPORTED_SERVERS), intervalMs: OUTAGE_INTERVAL_MS }
    ]
  })
  try {
    return await withFleet({ program, intervalMs: OUTAGE_INTERVAL_MS, more }, async (place) => {
      const restarts = await repeated(Math.max(1, Math.round(times / 4)), () => outage(place, 0))
      const away = await repeated(1, () => outage(place, awayMs))
      const all = [...restarts, ...away]
      const recovered = Math.max(...all.map(({ recoveredMs }) => recoveredMs))
      const died = all.at(-1)!.died
      const strange = place.runners.flatMap((runner) =>
        strangeConnections(runner, [place.fleet.postgres.url(), listener.url])
      )
      const { different, repeatedly } = listener.counts()
      return {
        table: [
          HEAD,
          row("the database is restarted", restarts),
          row(`the database is unavailable for ${seconds(awayMs)} s`, away)
        ],
        notes: [
          servers(all, OUTAGE_INTERVAL_MS),
          verdict(`Instances that ended because of the database: ${died}.`, died === 0),
          verdict(
            `After the database is available again, every stored state is current within ${seconds(recovered)} s (limit: two intervals).`,
            recovered <= 2 * OUTAGE_INTERVAL_MS
          ),
          noForeignWrites(all),
          noBrokenChains(all.at(-1)!),
          `A webhook received ${count(different)} changes, ${repeatedly} of them more than once. The monitor guarantees that each change is delivered at least once. All deliveries of a change have the same id.`,
          verdict(
            `Ports and connections that the instances use for anything except their pages, the database and the webhook: ${strange.length === 0 ? "none" : strange.join(", ")}.`,
            strange.length === 0
          )
        ]
      }
    })
  } finally {
    await listener.stop()
  }
}
