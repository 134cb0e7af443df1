/**
 * Collects observations of one server or of a whole list of servers, and returns findings. A survey does not use the network. A survey
 * needs at most a kilobyte of memory per server, because it stores numbers and hashes instead of texts.
 */
import { type Finding, KINDS, type Verdict, finding } from "./Finding.ts"
import { Neighbours } from "./Neighbours.ts"
import type { ConstantCount, Observation } from "./Observation.ts"
import { parseHost } from "./host.ts"
import { PlayerSamples } from "./PlayerSamples.ts"
import { type Snapshot, condense, condenseList } from "./Snapshot.ts"
import { singleListFindings, twoListFindings } from "./playTimes.ts"

/**
 * The finding `constant-count` requires at least this many observations with the same player count, and at least this many seconds between
 * the first and the last of these observations.
 */
const CONSTANT = { observations: 20, seconds: 3 * 3600 }

/** A finding about Steam's counts requires at least this difference between Steam's count of players or bots and the server's own count. */
const STEAM_DIFFERENCE = 5

/**
 * If Steam counts players on fewer than this many servers of the survey, the survey assumes an outage of Steam, and does not report
 * `steam-count`.
 */
const STEAM_WORKS = 5

/** Two observations by different observers are compared only if they are at most this many seconds apart. */
const SAME_TIME = 10

/**
 * The finding `rtt-difference` requires that a handshake takes longer than INFO by more than this time, in tenths of a millisecond. Smaller
 * differences are normal: some servers reply to INFO at once, but reply to a handshake in their next frame.
 */
const LONGER_RTT = 1000

const RANK = { strong: 0, medium: 1, weak: 2 } as const
const ORDER = Object.keys(KINDS)

class Seen {
  /** When INFO of the server's first snapshot arrived, in ms after the survey's first observation. */
  sinceMs = 0
  /** The first snapshot with a PLAYER reply; if no snapshot has a PLAYER reply, the last snapshot. */
  first: Snapshot | undefined
  last: Snapshot | undefined
  observations = 0
  /** Steam's player count; −1 if unknown. */
  steamPlayers = -1
  steamBots = 0
  isSteamSecure = false
  /** The time at which Steam counted, in seconds after the survey's first observation; infinity if this time is unknown. */
  steamAt = Number.POSITIVE_INFINITY
  handshake: "replied" | "silent" | "none" = "none"
  redirect: string | undefined
  /** The longest round-trip time of INFO, in tenths of a millisecond; −1 if unknown. */
  infoRtt = -1
  handshakeRtt = -1
  /** Whether the player count has been the same in all observations. */
  isConstant = true
  /** Number of observations that were compared with Steam's counts. */
  comparedWithSteam = 0
  /** Whether all observations that were compared with Steam's counts contradict Steam's player count. */
  differsFromSteam = true
  /** The highest number of bots in the INFO replies that were compared with Steam's counts. */
  mostBots = 0
  /** The `constantCount` of the last observation that has a `constantCount`. */
  constantCount: ConstantCount | undefined
  observer: string | undefined
  /** The difference between the observations of two observers, as a sentence. Absent if no difference was found. */
  disagreement: string | undefined
}

const exceeds = (players: number, steamPlayers: number): boolean =>
  players - steamPlayers >= STEAM_DIFFERENCE && steamPlayers * 2 < players

export class Survey {
  private readonly servers = new Map<string, Seen>()
  private readonly samples = new PlayerSamples()
  private readonly randomPorts: Array<readonly [address: string, replied: boolean]> = []
  private base: number | undefined

  /** Number of servers with at least one observation. Observations with `randomPort: true` are not counted. */
  get size(): number {
    return this.servers.size
  }

  /**
   * Adds an observation. If the observation has a PLAYER reply but no INFO reply, the PLAYER reply is added to the server's last
   * observation that has an INFO reply. Add the observations of one server in chronological order. Observations of different servers can be
   * in any order.
   */
  add(observation: Observation): void {
    const { address, atMs, constantCount, handshake, info, listed, observer, randomPort, rttMs } = observation
    this.base ??= atMs
    if (randomPort === true) return void this.randomPorts.push([address, info !== undefined])
    let seen = this.servers.get(address)
    if (seen === undefined) this.servers.set(address, (seen = new Seen()))
    if (listed !== undefined) {
      seen.steamPlayers = listed.players
      seen.steamBots = listed.bots ?? 0
      seen.isSteamSecure = listed.secure === true
      if (listed.atMs !== undefined) seen.steamAt = Math.round((listed.atMs - this.base) / 1000)
    }
    if (constantCount !== undefined) seen.constantCount = constantCount
    if (handshake !== undefined) {
      seen.handshake = handshake.replied ? "replied" : "silent"
      seen.redirect = handshake.redirect
    }
    if (rttMs?.info !== undefined) seen.infoRtt = Math.max(seen.infoRtt, Math.round(rttMs.info * 10))
    if (rttMs?.handshake !== undefined) seen.handshakeRtt = Math.round(rttMs.handshake * 10)
    const snapshot = condense(observation, { base: this.base, samples: this.samples, steamAt: seen.steamAt })
    if (snapshot === undefined) return this.complete(seen, observation)
    seen.observations++
    if (seen.last === undefined) seen.sinceMs = snapshot.atMs
    else if (snapshot.players !== seen.last.players) seen.isConstant = false
    if (seen.steamPlayers >= 0) {
      seen.comparedWithSteam++
      seen.differsFromSteam &&= exceeds(snapshot.players - snapshot.bots, seen.steamPlayers)
      seen.mostBots = Math.max(seen.mostBots, snapshot.bots)
    }
    this.compareObservers(seen, snapshot, observer)
    seen.observer = observer
    if (seen.first?.list === undefined) seen.first = snapshot
    seen.last = snapshot
  }

  /** Adds the PLAYER reply of an observation without an INFO reply to the last snapshot of the server. */
  private complete(seen: Seen, { atMs, players, playersAtMs = atMs }: Observation): void {
    const { last } = seen
    if (players === undefined || last === undefined) return
    const list = condenseList(
      players,
      { ...last, steamAt: seen.steamAt },
      Math.round(playersAtMs - this.base!),
      this.samples
    )
    const completed = { ...last, list }
    if (seen.first === last) seen.first = completed
    seen.last = completed
  }

  private compareObservers(seen: Seen, now: Snapshot, observer: string | undefined): void {
    const { last } = seen
    if (last === undefined || observer === undefined || seen.observer === undefined || observer === seen.observer)
      return
    if (now.atMs - last.atMs > SAME_TIME * 1000) return
    const isFar = Math.abs(now.players - last.players) >= 5
    if (now.name === last.name && !isFar) return
    seen.disagreement = isFar
      ? `The server reported ${last.players} players to ${seen.observer} and ${now.players} to ${observer}, within ${SAME_TIME} s.`
      : `The server reported different names to ${seen.observer} and ${observer}, within ${SAME_TIME} s.`
  }

  /** Yields the verdict of each server, in the order in which the servers were added. */
  *verdicts(): Generator<Verdict> {
    let players = 0
    for (const { last } of this.servers.values()) players += last?.list?.length ?? 0
    const neighbours = new Neighbours(this.servers.size, players, this.samples)
    for (const [address, replied] of this.randomPorts) neighbours.addRandomPort(address, replied)
    let counting = 0
    for (const [address, { last, steamPlayers }] of this.servers) {
      if (last !== undefined) neighbours.add(address, last)
      if (steamPlayers > 0) counting++
    }
    for (const [address, seen] of this.servers) {
      const findings = [...this.ownFindings(address, seen, counting >= STEAM_WORKS)]
      if (seen.last !== undefined) findings.push(...neighbours.findings(address, seen.last))
      findings.sort((a, b) => RANK[a.strength] - RANK[b.strength] || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
      const contradicted = findings.some(({ strength }) => strength === "strong")
      yield { address, contradicted, findings, observations: seen.observations }
    }
  }

  private *ownFindings(address: string, seen: Seen, steamCounts: boolean): Generator<Finding> {
    const { disagreement, first, handshake, handshakeRtt, infoRtt, last, redirect } = seen
    if (redirect !== undefined && redirect !== address) {
      const isBusy = last !== undefined && last.players > 0
      const isStrong = isBusy && parseHost(redirect) !== parseHost(address)
      const players = isBusy
        ? `The server reports ${last.players} players, but sends players`
        : "The server sends players"
      yield finding("redirect", isStrong ? "strong" : "medium", `${players} who join to ${redirect}.`)
    }
    if (first === undefined || last === undefined) return
    if (handshake === "silent") {
      yield finding("no-handshake", "weak", "The server replied to INFO, but not to the handshake.")
    }
    if (seen.comparedWithSteam > 0) yield* steamFindings(seen, last, steamCounts)
    yield* singleListFindings(last, this.samples)
    if (first !== last) yield* twoListFindings(first, last, this.samples)
    if (disagreement !== undefined) yield finding("observer-dependent-info", "medium", disagreement)
    if (infoRtt >= 0 && handshakeRtt > 3 * infoRtt && handshakeRtt - infoRtt > LONGER_RTT) {
      const observed = `INFO takes ${Math.round(infoRtt / 10)} ms, the handshake ${Math.round(handshakeRtt / 10)} ms.`
      yield finding("rtt-difference", "weak", observed)
    }
    const constant = this.constantCountSpan(seen, last)
    if (
      constant !== undefined &&
      constant.observations >= CONSTANT.observations &&
      constant.seconds >= CONSTANT.seconds &&
      last.players > last.bots
    ) {
      const observed = `The server has reported ${last.players} players in all ${constant.observations} observations within ${(constant.seconds / 3600).toFixed(1)} hours.`
      yield finding("constant-count", "medium", observed)
    }
  }

  /**
   * Returns how long and how often the server has reported the last player count. If the caller passed a `constantCount`, the function uses
   * this object. Otherwise, the function uses the observations of the survey: if not all of them have the same player count, the result is
   * `undefined`.
   */
  private constantCountSpan({ constantCount, isConstant, observations, sinceMs }: Seen, { atMs }: Snapshot) {
    if (constantCount !== undefined) {
      const seconds = (this.base! + atMs - constantCount.sinceMs) / 1000
      return { observations: constantCount.observations, seconds }
    }
    return isConstant ? { observations, seconds: (atMs - sinceMs) / 1000 } : undefined
  }
}

function* steamFindings(seen: Seen, last: Snapshot, steamCounts: boolean): Generator<Finding> {
  const { comparedWithSteam, differsFromSteam, first, isSteamSecure, mostBots, steamAt, steamBots, steamPlayers } = seen
  const list = last.list ?? first?.list
  const uncounted = list?.uncounted ?? 0
  const counted = last.players - last.bots - uncounted
  // If the time of Steam's count is known, but the player list is missing, it is unknown how many players arrived after the count. Then the
  // findings are not strong.
  const isTimely = list !== undefined || steamAt === Number.POSITIVE_INFINITY
  if (differsFromSteam && steamCounts && exceeds(counted, steamPlayers)) {
    const isStrong = isSteamSecure && comparedWithSteam > 1 && isTimely
    const observed = `The server reports ${last.players - last.bots} players, Steam counts ${steamPlayers}.`
    yield finding("steam-count", isStrong ? "strong" : "medium", observed)
  }
  const missing = steamBots - mostBots - uncounted
  // It is not documented whether Steam's count of players includes the bots. The finding is strong only if the counts contradict each other
  // under both assumptions.
  if (missing >= STEAM_DIFFERENCE && counted - Math.max(0, steamPlayers - steamBots) >= STEAM_DIFFERENCE) {
    const isStrong = isTimely && counted - steamPlayers >= STEAM_DIFFERENCE
    const observed = `Steam counts ${steamBots} bots, the server reports ${last.bots} bots among ${last.players} players.`
    yield finding("uncounted-bots", isStrong ? "strong" : "medium", observed)
  }
}
