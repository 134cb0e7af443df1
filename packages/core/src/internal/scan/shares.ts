/**
 * How many targets of one address, and of one network, are in flight: no more than its share, so that nobody's host or line is
 * flooded. What is above waits here; the scan reads no further targets while too many wait.
 *
 * @module
 */
import { canonicalIpv6, ipv6Number } from "../ip.ts"

/** Something that takes a share. */
export interface Sharing {
  /** `routeKey`: an address and a port. */
  readonly key: number | string
}

type Group = number | string

const PORTS = 65_536
const NETWORK_24 = 256

/** The address of a route key: a number of 32 bits, or a text. */
export const hostOf = (key: number | string): Group =>
  typeof key === "number" ? Math.floor(key / PORTS) : key.slice(0, key.indexOf(" "))

/** The /24 of an IPv4 address, the /48 of an IPv6 one: what one party usually has. */
const networkOf = (host: Group): Group => {
  if (typeof host === "number") return Math.floor(host / NETWORK_24)
  const canonical = canonicalIpv6(host.replace(/%.*/, ""))
  return canonical === undefined ? host : `${ipv6Number(canonical) >> 80n}/48`
}

/** Targets in flight that share an address or a network, by that. */
class Counts<T> {
  readonly waiting = new Map<Group, Array<T>>()
  private readonly flying = new Map<Group, number>()
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  isFull(group: Group): boolean {
    return (this.flying.get(group) ?? 0) >= this.max
  }

  take(group: Group): void {
    this.flying.set(group, (this.flying.get(group) ?? 0) + 1)
  }

  release(group: Group): void {
    const count = this.flying.get(group) ?? 0
    if (count <= 1) this.flying.delete(group)
    else this.flying.set(group, count - 1)
  }

  park(group: Group, target: T): void {
    const line = this.waiting.get(group)
    if (line === undefined) this.waiting.set(group, [target])
    else line.push(target)
  }

  /** Takes the next in line out. */
  next(group: Group): T | undefined {
    const line = this.waiting.get(group)
    const target = line?.shift()
    if (line?.length === 0) this.waiting.delete(group)
    return target
  }
}

/** See the module. */
export class Shares<T extends Sharing> {
  /** Targets that wait. */
  parked = 0
  private readonly hosts: Counts<T>
  private readonly networks: Counts<T>

  constructor(perHost: number, perNetwork: number) {
    this.hosts = new Counts(perHost)
    this.networks = new Counts(perNetwork)
  }

  /** Whether the target may go now; if not it waits, and {@link release} gives it back. */
  admit(target: T): boolean {
    const host = hostOf(target.key)
    const network = networkOf(host)
    if (this.hosts.isFull(host)) this.hosts.park(host, target)
    else if (this.networks.isFull(network)) this.networks.park(network, target)
    else {
      this.hosts.take(host)
      this.networks.take(network)
      return true
    }
    this.parked++
    return false
  }

  /** The target has landed. Gives one that waited for it, to be admitted again. */
  release(target: T): T | undefined {
    const host = hostOf(target.key)
    const network = networkOf(host)
    this.hosts.release(host)
    this.networks.release(network)
    if (this.parked === 0) return undefined
    const next = this.hosts.next(host) ?? this.networks.next(network)
    if (next !== undefined) this.parked--
    return next
  }
}
