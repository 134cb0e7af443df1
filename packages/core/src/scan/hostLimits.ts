/**
 * How many targets of one address, and of one network, are in flight: no more than allowed, so that nobody's host or line is
 * flooded. What is above waits here; the scan reads no further targets while too many wait.
 *
 * Counts stand in tables by a hash of the address. Where two addresses meet in one place they share a limit, which is rare, errs on
 * the safe side, and costs a tenth of counting in a `Map`.
 */
import { canonicalIpv6, ipv6Number } from "../address/ipv6.ts"

/** What counts against the limits of its host and network. */
export interface Limited {
  /** `routeKey`: an address and a port. */
  readonly key: number | string
  /** Where it is counted; written by {@link HostLimits}. */
  hostPlace: number
  networkPlace: number
}

const PORTS = 65_536
const NETWORK_24 = 256
/** Places per target that may be in flight. */
const SPARSITY = 8
/** 2 ** 32 by the golden ratio, which spreads numbers that lie close together. */
const FACTOR = 0x9e3779b1

/** The address of a route key: a number of 32 bits, or a text. */
export const hostOf = (key: number | string): number | string =>
  typeof key === "number" ? Math.floor(key / PORTS) : key.slice(0, key.indexOf(" "))

const hashOf = (text: string): number => {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i)
  return hash >>> 0
}

/** The /48 of an IPv6 address, which is what one party usually has. */
const network48 = (host: string): string => {
  const canonical = canonicalIpv6(host.replace(/%.*/, ""))
  return canonical === undefined ? host : String(ipv6Number(canonical) >> 80n)
}

/** The network of a route key, as a number: an IPv4 /24, or a hash of an IPv6 /48. */
export const networkOf = (key: number | string): number =>
  typeof key === "number" ? Math.floor(key / (PORTS * NETWORK_24)) : hashOf(network48(hostOf(key) as string))

/** Counts of one kind of group, and who waits because a count has reached its limit. */
export class Counts<T> {
  readonly max: number
  /** By place, of which a group has one, and seldom another the same. */
  readonly counts: Int32Array
  private readonly lines = new Map<number, Array<T>>()

  constructor(max: number, bits: number) {
    this.max = max
    this.counts = new Int32Array(1 << bits)
  }

  park(place: number, target: T): void {
    const line = this.lines.get(place)
    if (line === undefined) this.lines.set(place, [target])
    else line.push(target)
  }

  /** Takes the next in line out. */
  next(place: number): T | undefined {
    const line = this.lines.get(place)
    const target = line?.shift()
    if (line?.length === 0) this.lines.delete(place)
    return target
  }
}

/** Limits per host and per network; what is above waits in the order of arrival. */
export class HostLimits<T extends Limited> {
  /** Targets that wait. */
  parked = 0
  private readonly hosts: Counts<T>
  private readonly networks: Counts<T>
  /** What is left of a hash of 32 bits is a place. */
  private readonly shift: number

  constructor(perHost: number, perNetwork: number, concurrency: number) {
    const bits = Math.ceil(Math.log2(SPARSITY * concurrency))
    this.shift = 32 - bits
    this.hosts = new Counts(perHost, bits)
    this.networks = new Counts(perNetwork, bits)
  }

  /** Whether the target may go now; if not it waits, and `release` gives it back. */
  admit(target: T): boolean {
    const { hosts, networks } = this
    const { key } = target
    const address = typeof key === "number" ? key / PORTS : hashOf(hostOf(key) as string)
    const host = Math.imul(address, FACTOR) >>> this.shift
    const network = Math.imul(networkOf(key), FACTOR) >>> this.shift
    target.hostPlace = host
    target.networkPlace = network
    if (hosts.counts[host]! >= hosts.max) hosts.park(host, target)
    else if (networks.counts[network]! >= networks.max) networks.park(network, target)
    else {
      hosts.counts[host]!++
      networks.counts[network]!++
      return true
    }
    this.parked++
    return false
  }

  /** The target has its result. Gives one that waited for it, to be admitted again. */
  release(target: T): T | undefined {
    const { hostPlace: host, networkPlace: network } = target
    this.hosts.counts[host]!--
    this.networks.counts[network]!--
    if (this.parked === 0) return undefined
    const next = this.hosts.next(host) ?? this.networks.next(network)
    if (next !== undefined) this.parked--
    return next
  }
}
