/**
 * Limits the targets in flight at one address and in one network, so that no host and no link is flooded. Targets above a limit wait in
 * this module, in order. While too many wait, the scan reads no further targets.
 *
 * The counts are in tables, by a hash of the address. If the hashes of two addresses are equal, both share a limit, which is rare and
 * harmless. These tables take a tenth of the time of a `Map`.
 */
import { canonicalIpv6, ipv6Number } from "../address/ipv6.ts"
import { type Dispatched, type Dispatching, type Groups, Line, type Turn } from "../engine/Dispatcher.ts"

/** A request that counts against the limits of its host and network. */
export interface Limited extends Dispatched<Limited> {
  /** The `routeKey` of address and port. */
  readonly key: number | string
}

const PORTS = 65_536
const NETWORK_24 = 256
/** Places in a table per target that may be in flight. */
const SPARSITY = 8
/** 2 ** 32 divided by the golden ratio. Multiplying by it spreads numbers that are close together. */
const FACTOR = 0x9e3779b1

/** The address of a route key: a number of 32 bits, or a text. */
export const hostKey = (key: number | string): number | string =>
  typeof key === "number" ? Math.floor(key / PORTS) : key.slice(0, key.indexOf(" "))

const hashText = (text: string): number => {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i)
  return hash >>> 0
}

/** The /48 of an IPv6 address, which one owner usually has. */
const network48 = (host: string): string => {
  const canonical = canonicalIpv6(host.replace(/%.*/, ""))
  return canonical === undefined ? host : String(ipv6Number(canonical) >> 80n)
}

/** The network of a route key, as a number: an IPv4 /24, or a hash of an IPv6 /48. */
export const networkKey = (key: number | string): number =>
  typeof key === "number" ? Math.floor(key / (PORTS * NETWORK_24)) : hashText(network48(hostKey(key) as string))

/** The counts of hosts or networks, and the targets that wait because a count has reached its limit. */
class Counts {
  readonly max: number
  /** Each group has one place. In rare cases, two groups share one. */
  readonly counts: Int32Array
  readonly lines = new Map<number, Line<Limited>>()

  constructor(max: number, bits: number) {
    this.max = max
    this.counts = new Int32Array(1 << bits)
  }

  wait(place: number, turn: Turn<Limited>): void {
    let line = this.lines.get(place)
    if (line === undefined) this.lines.set(place, (line = new Line()))
    line.add(turn)
  }

  /** Removes the target that has waited longest for this place. */
  next(place: number): Limited | undefined {
    const line = this.lines.get(place)
    const turn = line?.oldest
    if (turn !== undefined) line!.remove(turn)
    if (line?.size === 0) this.lines.delete(place)
    return turn?.request
  }

  /** Removes all waiting targets of one dispatcher. */
  withdraw(dispatcher: Dispatching<Limited>): ReadonlyArray<Limited> {
    return [...this.lines.values()].flatMap((line) => line.take((turn) => turn.dispatcher === dispatcher))
  }
}

/** Limits per host and per network. */
export class HostLimits implements Groups<Limited> {
  /** The limits count datagrams in flight. An overdue target has none, because the time for a reply to its last transmission is over. */
  readonly keepsOverdue = false
  private readonly hosts: Counts
  private readonly networks: Counts
  /** Shifting a 32-bit hash to the right by this number gives its place. */
  private readonly shift: number

  constructor(perHost: number, perNetwork: number, concurrency: number) {
    const bits = Math.ceil(Math.log2(SPARSITY * concurrency))
    this.shift = 32 - bits
    this.hosts = new Counts(perHost, bits)
    this.networks = new Counts(perNetwork, bits)
  }

  admit({ key, turn }: Limited): boolean {
    const host = this.hostPlace(key)
    const network = this.networkPlace(key)
    const { hosts, networks } = this
    if (hosts.counts[host]! >= hosts.max) hosts.wait(host, turn)
    else if (networks.counts[network]! >= networks.max) networks.wait(network, turn)
    else {
      hosts.counts[host]!++
      networks.counts[network]!++
      return true
    }
    return false
  }

  release({ key }: Limited): Limited | undefined {
    const { hosts, networks } = this
    const host = this.hostPlace(key)
    const network = this.networkPlace(key)
    hosts.counts[host]!--
    networks.counts[network]!--
    if (hosts.lines.size === 0 && networks.lines.size === 0) return undefined
    // A target that waited for its network may now have to wait for its host.
    let next = hosts.next(host) ?? networks.next(network)
    while (next !== undefined && !this.admit(next)) next = hosts.next(host) ?? networks.next(network)
    return next
  }

  withdraw(dispatcher: Dispatching<Limited>): ReadonlyArray<Limited> {
    return [...this.hosts.withdraw(dispatcher), ...this.networks.withdraw(dispatcher)]
  }

  private hostPlace(key: number | string): number {
    const address = typeof key === "number" ? key / PORTS : hashText(hostKey(key) as string)
    return Math.imul(address, FACTOR) >>> this.shift
  }

  private networkPlace(key: number | string): number {
    return Math.imul(networkKey(key), FACTOR) >>> this.shift
  }
}
