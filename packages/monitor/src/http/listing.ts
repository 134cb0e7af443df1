/**
 * Searches and sorts the list of targets. Sorting 100,000 targets is slow. Therefore a sorted list is cached for a second: a
 * client that requests several pages causes only one sort. The next sort starts with the previous sorted list, because sorting a nearly
 * sorted list is fast.
 */
import { findName, type Watched } from "../watch/Watched.ts"
import type { ListQuery, SORTS, TargetRow } from "./Api.ts"

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

/** Facts about a target that {@link Watched} does not contain: whether the target is muted, and the findings of the target. */
interface Facts {
  readonly isMuted: (target: Watched) => boolean
  readonly findings: (target: Watched) => TargetRow["findings"]
}

const NO_FACTS: Facts = { isMuted: () => false, findings: () => undefined }

type Value = string | number | undefined

/** The order in which targets are sorted by state: problems first. */
const RANKS = { down: 0, unknown: 1, up: 2 } as const

const STRENGTHS = { weak: 1, medium: 2, strong: 3 } as const

/**
 * If targets are sorted by findings, the strength of the strongest finding is multiplied by this factor, and the number of findings is
 * added. The factor is larger than the number of findings of any target, so that targets are sorted by strength first.
 */
const STRONGER = 1000

/**
 * If targets are sorted by problems, this number is added to the sort value of a server that is down and not muted. The number is larger
 * than every player count.
 */
const PROBLEM = 1e10

/** The player count of a server that is up. `undefined` for any other server, because its last player count is outdated. */
const countPlayers = ({ known }: Watched): number | undefined =>
  known.state === "up" ? known.last?.summary.players : undefined

const VALUES: Readonly<Record<(typeof SORTS)[number], (target: Watched, facts: Facts) => Value>> = {
  address: ({ address }) => address,
  name: findName,
  map: ({ known }) => known.last?.summary.map,
  players: countPlayers,
  rttMs: ({ known }) => (known.state === "up" ? known.last?.rttMs : undefined),
  state: ({ known }) => RANKS[known.state],
  stateAt: ({ known }) => known.stateAt,
  askedAt: ({ known }) => known.queriedAt,
  group: ({ group }) => group.name,
  findings: (target, facts) => {
    const findings = facts.findings(target)
    return findings && STRENGTHS[findings.strength] * STRONGER + findings.count
  },
  problems: (target, { isMuted }) =>
    target.known.state === "down" && !isMuted(target) ? PROBLEM + (target.known.stateAt ?? 0) : countPlayers(target)
}

const compare = (a: Value, b: Value): number =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b))

const matches = (target: Watched, { address: own, findings, group, q, state }: ListQuery, facts: Facts): boolean => {
  if (own !== undefined && target.address.toLowerCase() !== own.toLowerCase()) return false
  if (state !== undefined && (facts.isMuted(target) ? "muted" : target.known.state) !== state) return false
  if (group !== undefined && target.group.name !== group) return false
  if (findings !== undefined) {
    const found = facts.findings(target)
    if (found === undefined || STRENGTHS[found.strength] < STRENGTHS[findings]) return false
  }
  if (q === undefined || q === "") return true
  const { address, known } = target
  const { map = "", name = "" } = known.last?.summary ?? {}
  const texts = [address, name, findName(target) ?? "", map, target.group.name, ...Object.values(target.group.labels)]
  return texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
}

/** Filters and sorts targets. Targets without a value for the sort key are at the end, in ascending and in descending order. */
const sorted = (targets: ReadonlyArray<Watched>, query: ListQuery, facts: Facts): ReadonlyArray<Watched> => {
  const value = VALUES[query.sort ?? "address"]
  const sign = query.order === "desc" ? -1 : 1
  const keyed = targets
    .filter((target) => matches(target, query, facts))
    .map((target) => [target, value(target, facts)] as const)
  keyed.sort(([a, x], [b, y]) => {
    if (x === undefined || y === undefined) return x === y ? a.id - b.id : x === undefined ? 1 : -1
    return sign * compare(x, y) || a.id - b.id
  })
  return keyed.map(([target]) => target)
}

/** Time for which a sorted list is cached, in milliseconds. */
const CACHED_MS = 1000
/** Maximum number of cached lists. */
const CACHED_ORDERS = 16

/** Filters and sorts the targets, and caches each resulting list for a second. */
export class Listing {
  /** For each sort key and direction: the sorted list of all targets, from the last query that did not exclude any target. */
  private readonly wholes = new Map<string, ReadonlyArray<Watched>>()
  private readonly kept = new Map<string, { readonly at: number; readonly targets: ReadonlyArray<Watched> }>()

  of(
    targets: ReadonlyMap<number, Watched>,
    query: ListQuery,
    nowMs: number,
    facts: Partial<Facts> = {}
  ): ReadonlyArray<Watched> {
    const { address, findings, group, order, q, sort, state } = query
    const key = JSON.stringify([q, address, state, group, findings, sort, order])
    const known = this.kept.get(key)
    if (known !== undefined && nowMs - known.at < CACHED_MS) return known.targets
    const whole = JSON.stringify([sort, order])
    const before = this.wholes.get(whole)
    const isWhole = before?.length === targets.size && before.every((target) => targets.get(target.id) === target)
    const found = sorted(isWhole ? before : [...targets.values()], query, { ...NO_FACTS, ...facts })
    if (found.length === targets.size) this.wholes.set(whole, found)
    this.kept.delete(key)
    this.kept.set(key, { at: nowMs, targets: found })
    if (this.kept.size > CACHED_ORDERS) this.kept.delete(this.kept.keys().next().value!)
    return found
  }
}
