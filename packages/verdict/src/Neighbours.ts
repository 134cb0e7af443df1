/**
 * Finds servers that have too much in common with other servers of the survey: the same players, SteamIDs, names or rules at many
 * addresses. In addition, finds addresses at which too many ports respond.
 */
import { type Finding, type Strength, finding } from "./Finding.ts"
import { combine, hashText } from "./hash.ts"
import { parseHost, findNetwork } from "./host.ts"
import { Occurrences } from "./Occurrences.ts"
import { LONGEST_PLAY, type PlayerSamples, type SampledPlayer } from "./PlayerSamples.ts"
import type { Snapshot } from "./Snapshot.ts"

/**
 * If at least this many addresses have the same player list or the same SteamID, the finding is strong. Legitimate mirrors have fewer
 * addresses: a Sourcewire proxy, NAT or a second network card causes copies of a list at two or three addresses.
 */
const COPIES = 5

/** If at least this many ports of one address respond, a single machine cannot run all these game servers. */
const PORTS_OF_ONE_MACHINE = 1000

const PORTS_WITH_ONE_NAME = 20
const ADDRESSES_WITH_ONE_INFO = 10
const ADDRESSES_WITH_ONE_NAME = 20
const HOSTS_WITH_ONE_RULES = 20

/** Caches delay replies. Therefore two connection times count as equal if they differ by at most this many seconds. */
const MOMENT = 60

/**
 * A list counts as copied only if at least this many seconds passed between the connections of its first and its last player. Therefore
 * lists of bots do not count as copied: all bots of a server connect at the same time.
 */
const LEAST_SPREAD = 120

/** The finding `random-ports` requires queries to at least this many random ports of a host. */
const LEAST_RANDOM_PORTS = 20

const increment = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

interface Host {
  responding: number
  randomTried: number
  randomReplied: number
}

/**
 * {@link Occurrences} stores each time as a number of steps. These two constants are the durations of one step, in seconds. The number of
 * steps is limited to about two million. Therefore the stored connection times can cover a year, and a stored play time is at most 40 days.
 */
const MOMENT_STEP = 16
const PLAY_TIME_STEP = 1.75

/**
 * Two play times count as equal if they differ by at most this many seconds. If fake servers always send the same list, the play times in
 * all copies are equal, but the connection times differ, because the copies arrive at different times.
 */
const SAME_PLAY_TIME = 2

const findStart = ({ joined }: SampledPlayer): number => LONGEST_PLAY + joined

export class Neighbours {
  private readonly hosts = new Map<string, Host>()
  /** For each IPv6 network, the number of responding ports at all its addresses. */
  private readonly networks = new Map<string, number>()
  private readonly steamIds = new Map<string, number>()
  private readonly names: Occurrences
  private readonly infos: Occurrences
  private readonly rules = new Map<number, Set<string>>()
  private readonly moments: Occurrences
  private readonly playTimes: Occurrences
  private readonly samples: PlayerSamples

  /** `servers` is the maximum number of servers that are added, and `players` is the maximum number of players in all their samples. */
  constructor(servers: number, players: number, samples: PlayerSamples) {
    this.samples = samples
    this.names = new Occurrences(servers)
    this.infos = new Occurrences(servers)
    this.moments = new Occurrences(players)
    this.playTimes = new Occurrences(players)
  }

  private host(address: string): Host {
    const ip = parseHost(address)
    const known = this.hosts.get(ip)
    if (known !== undefined) return known
    const host = { responding: 0, randomTried: 0, randomReplied: 0 }
    this.hosts.set(ip, host)
    return host
  }

  /** Adds the result of a query to a randomly chosen port. */
  addRandomPort(address: string, replied: boolean): void {
    const host = this.host(address)
    host.randomTried++
    if (replied) host.randomReplied++
  }

  /** Adds the latest snapshot of a server. Call this method once for each server, and then call {@link findings}. */
  add(address: string, snapshot: Snapshot): void {
    this.host(address).responding++
    const network = findNetwork(parseHost(address))
    if (network !== parseHost(address)) increment(this.networks, network)
    this.names.add(combine(hashText(network), snapshot.name))
    if (snapshot.players > 0) this.infos.add(snapshot.info)
    if (snapshot.steamId !== undefined) increment(this.steamIds, snapshot.steamId)
    if (snapshot.rules !== undefined) {
      const hosts = this.rules.get(snapshot.rules) ?? new Set()
      this.rules.set(snapshot.rules, hosts)
      if (hosts.size < HOSTS_WITH_ONE_RULES) hosts.add(network)
    }
    const { list } = snapshot
    if (list === undefined || snapshot.isRelay) return
    for (const player of this.samples.players(list)) {
      this.moments.add(player.name, findStart(player) / MOMENT_STEP)
      this.playTimes.add(player.name, (list.atMs / 1000 - player.joined) / PLAY_TIME_STEP)
    }
  }

  findings(address: string, snapshot: Snapshot): Array<Finding> {
    return [
      ...this.listFindings(snapshot),
      ...this.identityFindings(snapshot),
      ...this.hostFindings(address, snapshot.name)
    ]
  }

  /**
   * Counts the players at all addresses who have the name and the connection time of `player`. Also counts the players who have the name
   * and the play time of `player`. Returns the larger count.
   */
  private countCopies(player: SampledPlayer, at: number): number {
    const count = (occurrences: Occurrences, value: number, seconds: number, step: number): number =>
      occurrences.count(player.name, (value - seconds) / step, (value + seconds) / step)
    return Math.max(
      count(this.moments, findStart(player), MOMENT, MOMENT_STEP),
      count(this.playTimes, at - player.joined, SAME_PLAY_TIME, PLAY_TIME_STEP)
    )
  }

  private listFindings({ bots, isRelay, list, players }: Snapshot): Array<Finding> {
    if (list === undefined || list.length < 4 || isRelay) return []
    const sampled = this.samples.players(list)
    const copied = sampled
      .map((player) => ({ ...player, copies: this.countCopies(player, list.atMs / 1000) }))
      .filter(({ copies }) => copies > 1)
      .sort((a, b) => a.copies - b.copies)
    const joined = copied.map((player) => player.joined)
    const isSpread = copied.length > 0 && Math.max(...joined) - Math.min(...joined) >= LEAST_SPREAD
    if (copied.length >= 4 && copied.length * 4 >= sampled.length * 3 && isSpread) {
      const addresses = copied[copied.length >> 2]!.copies
      const strength: Strength = addresses >= COPIES ? "strong" : "weak"
      const observed = `${copied.length} of the ${sampled.length} compared players are at ${addresses} addresses at the same time, with the same play times.`
      return [finding("copied-players", strength, observed)]
    }
    const common = sampled.filter(({ name }) => this.moments.count(name) >= ADDRESSES_WITH_ONE_NAME)
    if (sampled.length >= 6 && common.length * 4 >= sampled.length * 3 && bots * 2 < players) {
      const observed = `${common.length} of the ${sampled.length} compared player names appear at ${ADDRESSES_WITH_ONE_NAME} addresses or more.`
      return [finding("shared-names", "medium", observed)]
    }
    return []
  }

  private identityFindings({ info, players, rules, steamId }: Snapshot): Array<Finding> {
    const findings: Array<Finding> = []
    const sharing = steamId === undefined ? 0 : this.steamIds.get(steamId)!
    if (sharing > 1) {
      const observed = `${sharing} addresses report the SteamID ${steamId}.`
      findings.push(finding("shared-steam-id", sharing >= COPIES ? "strong" : "weak", observed))
    }
    const alike = players === 0 ? 0 : this.infos.count(info)
    if (alike >= ADDRESSES_WITH_ONE_INFO) {
      const observed = `${alike} addresses report the same name, map, player count, slots and keywords.`
      findings.push(finding("copied-info", "medium", observed))
    }
    if (rules !== undefined && this.rules.get(rules)!.size >= HOSTS_WITH_ONE_RULES) {
      const observed = `At least ${HOSTS_WITH_ONE_RULES} IPv4 addresses or IPv6 networks have exactly the same rules.`
      findings.push(finding("copied-rules", "weak", observed))
    }
    return findings
  }

  private hostFindings(address: string, name: number): Array<Finding> {
    const ip = parseHost(address)
    // Addresses of Steam's relays begin with 169.254. Servers of different games can have the same relay address. Therefore the survey
    // reports no findings about the hosts of such addresses.
    if (ip.startsWith("169.254.")) return []
    const findings: Array<Finding> = []
    const { randomReplied, randomTried, responding } = this.hosts.get(ip)!
    const network = findNetwork(ip)
    const inNetwork = this.networks.get(network) ?? 0
    if (responding >= PORTS_OF_ONE_MACHINE) {
      findings.push(finding("many-ports", "strong", `${responding} ports of ${ip} respond as game servers.`))
    } else if (inNetwork >= PORTS_OF_ONE_MACHINE) {
      // For a single address, the finding is strong. For an IPv6 network, it is only medium, because several machines may share the
      // network.
      const observed = `${inNetwork} addresses and ports of ${network} respond as game servers.`
      findings.push(finding("many-ports", "medium", observed))
    }
    const named = this.names.count(combine(hashText(network), name))
    if (named >= PORTS_WITH_ONE_NAME) {
      const ports = network === ip ? "ports" : "addresses and ports"
      const observed = `${named} ${ports} of ${network} report the same name.`
      findings.push(finding("same-name-ports", "weak", observed))
    }
    if (randomTried >= LEAST_RANDOM_PORTS && randomReplied * 2 > randomTried) {
      const observed = `${randomReplied} of ${randomTried} ports of ${ip} that were drawn at random respond as game servers.`
      findings.push(finding("random-ports", "strong", observed))
    }
    return findings
  }
}
