/** Finds contradictions between the play times of a server's players, in one player list or in two player lists. */
import { type Finding, finding } from "./Finding.ts"
import type { PlayerSamples, SampledPlayer } from "./PlayerSamples.ts"
import type { Snapshot } from "./Snapshot.ts"

/**
 * Minimum time between two lists for a finding about frozen play times, in seconds. A shorter time proves nothing: our proxy, and all other
 * proxies that we know, can serve a stale reply for up to a minute.
 */
export const FROZEN_AFTER = 60

/** Minimum time between two lists for all findings about two lists except frozen play times, in seconds. */
const COMPARED_AFTER = 30

/** The findings allow for a cache that delays a list by at most this many seconds. */
const CACHE_LAG = 45

/** A finding about play times or arrivals requires at least this many players. */
const LEAST_PLAYERS = 3

const seconds = (value: number): string => `${Math.round(value)} s`

/** Returns the findings about a single list: impossible play times, or the same play time for all players. */
export const singleListFindings = ({ bots, list, players }: Snapshot, samples: PlayerSamples): Array<Finding> => {
  if (list === undefined) return []
  const findings: Array<Finding> = []
  if (list.impossible >= LEAST_PLAYERS && list.impossible * 2 >= list.listed) {
    const observed = `${list.impossible} of ${list.listed} players have a play time that is negative or longer than 60 days.`
    findings.push(finding("impossible-play-times", "medium", observed))
  }
  if (bots * 2 >= players) return findings
  const joined = samples.players(list).map((player) => player.joined)
  const spread = Math.max(...joined) - Math.min(...joined)
  if (joined.length >= 5 && spread < 1) {
    const observed = `All ${joined.length} compared players have the same play time (${seconds(list.atMs / 1000 - joined[0]!)}).`
    findings.push(finding("equal-play-times", "weak", observed))
  }
  return findings
}

/** Compares two player lists of the same server, and returns the findings. */
export const twoListFindings = (first: Snapshot, last: Snapshot, samples: PlayerSamples): Array<Finding> => {
  if (first.list === undefined || last.list === undefined || last.isRelay) return []
  const elapsed = (last.list.atMs - first.list.atMs) / 1000
  if (elapsed < COMPARED_AFTER) return []
  const before = new Map(samples.players(first.list).map(({ joined, name }) => [name, joined]))
  // The survey may have only a sample of the first list. If the hash of a player's name is larger than all hashes of this sample, the
  // player may be on the list, but not in the sample. Therefore such a player is not compared.
  const known = first.list.isPart ? Math.max(...before.keys()) : Number.POSITIVE_INFINITY
  const after = samples.players(last.list).filter(({ name }) => name <= known)
  const stayed = after.flatMap(({ joined, name }) => {
    const earlier = before.get(name)
    return earlier === undefined ? [] : [{ shift: joined - earlier, played: last.list!.atMs / 1000 - joined }]
  })
  return [
    ...stayedFindings(stayed, elapsed),
    ...arrivalFindings(after, stayed.length, { before, first, last, elapsed })
  ]
}

/** A player who is on both of the compared lists. */
interface Stayed {
  /** The connection time according to the later list, minus the connection time according to the earlier list, in seconds. */
  readonly shift: number
  /** The play time on the later list, in seconds. */
  readonly played: number
}

const stayedFindings = (stayed: ReadonlyArray<Stayed>, elapsed: number): Array<Finding> => {
  // If the play time of a player is shorter than the time between the lists, the player may have reconnected, and is not compared. In some
  // games, all players reconnect at a map change.
  const connected = stayed.filter(({ played }) => played > elapsed + CACHE_LAG)
  const isFrozen = ({ shift }: Stayed): boolean => Math.abs(shift - elapsed) < 1
  if (elapsed >= FROZEN_AFTER && connected.length >= LEAST_PLAYERS && connected.every(isFrozen)) {
    const observed = `The play times of the ${connected.length} players who are on both lists did not advance in ${seconds(elapsed)}.`
    return [finding("frozen-play-times", "strong", observed)]
  }
  const shifts = connected.map(({ shift }) => shift)
  const odd = shifts.filter((shift) => shift < -CACHE_LAG || (shift > CACHE_LAG && shift < elapsed - 1))
  const late = shifts.filter((shift) => Math.abs(shift) > 5)
  if (odd.length >= LEAST_PLAYERS && odd.length * 4 >= shifts.length * 3 && late.length === shifts.length) {
    const gained = elapsed - [...odd].sort((a, b) => a - b)[odd.length >> 1]!
    const observed = `The play times of ${odd.length} of the ${shifts.length} players who are on both lists advanced by ${seconds(gained)} (median) in ${seconds(elapsed)}.`
    return [finding("irregular-play-times", "medium", observed)]
  }
  return []
}

interface Lists {
  readonly before: ReadonlyMap<number, number>
  readonly first: Snapshot
  readonly last: Snapshot
  readonly elapsed: number
}

const arrivalFindings = (
  after: ReadonlyArray<SampledPlayer>,
  stayed: number,
  { before, elapsed, first, last }: Lists
): Array<Finding> => {
  if (after.length < LEAST_PLAYERS || before.size < LEAST_PLAYERS) return []
  // Some servers list only some of their players, and each reply can contain different players. Therefore incomplete lists are not
  // compared.
  if (!first.list!.isComplete || !last.list!.isComplete) return []
  const arrived = after.filter(({ name }) => !before.has(name))
  const impossible = arrived.filter(({ joined }) => last.list!.atMs / 1000 - joined > elapsed + 2 * CACHE_LAG)
  if (impossible.length >= LEAST_PLAYERS && impossible.length * 2 >= after.length) {
    const observed = `${impossible.length} of the ${after.length} compared players were not on the list ${seconds(elapsed)} before, but have played much longer than this time.`
    return [finding("impossible-arrivals", "strong", observed)]
  }
  if (stayed === 0 && before.size >= 6 && after.length >= 6) {
    const observed = `None of the ${before.size} compared players are on the list ${seconds(elapsed)} later. That list names ${last.list!.listed} other players.`
    return [finding("replaced-players", "weak", observed)]
  }
  return []
}
