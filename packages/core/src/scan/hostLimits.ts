/**
 * Limits how many targets are in flight at one address and in one network, so that the scan floods no host and no link. If a limit is
 * reached, further targets wait in the order in which the scan read them. While too many targets wait, the scan reads no further targets.
 *
 * The numbers of targets in flight are in tables, indexed by a hash of the address or network. If two addresses or two networks have the
 * same hash, they share a limit. This is rare and harmless. Reading a number from these tables takes a tenth of the time that a `Map` would
 * take.
 */
import { canonicalIpv6, ipv6Number } from "../address/ipv6.ts"
import { type Dispatched, type Dispatching, type Groups, Line, type QueueEntry } from "../engine/Dispatcher.ts"

/** A request that counts against the limits of its host and network. */
export interface Limited extends Dispatched<Limited> {
  /** The `routeKey` of the target's address and port. */
  readonly key: number | string
}

const PORTS = 65_536
const NETWORK_24 = 256
/**
 * A table has this number of places for each target that may be in flight. If most places are free, it is rare that two addresses share a
 * place.
 */
const SPARSITY = 8
/** 2 ** 32 divided by the golden ratio. Multiplication by this factor spreads numbers that are close together. */
const FACTOR = 0x9e3779b1

/** Returns the address in a route key: a 32-bit number for IPv4, a text for IPv6. */
export const hostKey = (key: number | string): number | string =>
  typeof key === "number" ? Math.floor(key / PORTS) : key.slice(0, key.indexOf(" "))

const hashText = (text: string): number => {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i)
  return hash >>> 0
}

/** Returns the /48 of an IPv6 address. All addresses of a /48 usually belong to one owner. */
const network48 = (host: string): string => {
  const canonical = canonicalIpv6(host.replace(/%.*/, ""))
  return canonical === undefined ? host : String(ipv6Number(canonical) >> 80n)
}

/** Returns the network of a route key as a number: an IPv4 /24, or the hash of an IPv6 /48. */
export const networkKey = (key: number | string): number =>
  typeof key === "number" ? Math.floor(key / (PORTS * NETWORK_24)) : hashText(network48(hostKey(key) as string))

/**
 * Counts the targets in flight of each host, or of each network. If the count of a host or network has reached the limit, its further
 * targets wait in a line.
 */
class Counts {
  readonly max: number
  /** Each host or network has a place in this table. In rare cases, two hosts or two networks share a place. */
  readonly counts: Int32Array
  readonly lines = new Map<number, Line<Limited>>()

  constructor(max: number, bits: number) {
    this.max = max
    this.counts = new Int32Array(1 << bits)
  }

  wait(place: number, entry: QueueEntry<Limited>): void {
    let line = this.lines.get(place)
    if (line === undefined) this.lines.set(place, (line = new Line()))
    line.add(entry)
  }

  /** Removes and returns the target that has waited longest for this place. */
  next(place: number): Limited | undefined {
    const line = this.lines.get(place)
    const entry = line?.oldest
    if (entry !== undefined) line!.remove(entry)
    if (line?.size === 0) this.lines.delete(place)
    return entry?.request
  }

  /** Removes all waiting targets of one dispatcher. */
  withdraw(dispatcher: Dispatching<Limited>): ReadonlyArray<Limited> {
    return [...this.lines.values()].flatMap((line) => line.take((entry) => entry.dispatcher === dispatcher))
  }
}

export class HostLimits implements Groups<Limited> {
  /**
   * Overdue targets do not count against the limits, because the limits apply to datagrams in flight. No datagram of an overdue target is
   * in flight: the time for a reply to its last datagram is over.
   */
  readonly countsOverdue = false
  private readonly hosts: Counts
  private readonly networks: Counts
  /** Number of bits by which a 32-bit hash is shifted to the right. The result is the place in the table. */
  private readonly shift: number

  constructor(perHost: number, perNetwork: number, concurrency: number) {
    const bits = Math.ceil(Math.log2(SPARSITY * concurrency))
    this.shift = 32 - bits
    this.hosts = new Counts(perHost, bits)
    this.networks = new Counts(perNetwork, bits)
  }

  admit({ key, entry }: Limited): boolean {
    const host = this.hostPlace(key)
    const network = this.networkPlace(key)
    const { hosts, networks } = this
    if (hosts.counts[host]! >= hosts.max) hosts.wait(host, entry)
    else if (networks.counts[network]! >= networks.max) networks.wait(network, entry)
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
    // A target that waited because of the limit of its network may now have to wait because of the limit of its host. If so, the loop tries
    // the next waiting target.
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
