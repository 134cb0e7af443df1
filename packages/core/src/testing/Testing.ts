/**
 * A network in memory, for tests. The network implements `Datagrams` with random faults from a seed, and uses Effect's `Clock`. With a test
 * clock, a query with three seconds of retransmissions takes no real time, and its result is always the same.
 *
 * Each socket represents a separate host. A socket that is not bound to an address and port gets a loopback address and an unused port. The
 * option `names` defines the addresses of host names.
 *
 * @example
 * import { Client } from "@sourcewire/core"
 * import { networkLayer, makeNetwork, MemoryNetwork, seededRandom } from "@sourcewire/core/testing"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * const program = Effect.gen(function* () {
 *   const network: MemoryNetwork = yield* makeNetwork({ loss: 0.2, seed: 7 })
 *   const layer = Layer.provide(Client.layer({ timeoutMs: 100, random: seededRandom(7) }), networkLayer(network))
 *   const query = Client.use((client) => client.info("192.0.2.7:27015")).pipe(Effect.provide(layer))
 *   return [(yield* Effect.flip(query))._tag, network.counters.sent] as const
 * })
 * console.log(await Effect.runPromise(program))
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatagramHandle, DatagramHandler, Endpoint, Family, OpenOptions } from "../engine/Datagrams.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { canonicalAddress } from "../address/ipv6.ts"
import { checkedOptions } from "../edge.ts"
import { NetworkPath, type PathFaults } from "./NetworkPath.ts"
import { SendFailed, Unresolved } from "../engine/QueryError.ts"
import { toSocketFault, openFailed } from "../engine/SystemFault.ts"
import { timing } from "../engine/effectTiming.ts"
import type { Timing } from "../engine/Timing.ts"

export { NetworkPath, type Passage, type PathFaults } from "./NetworkPath.ts"

/** Returns a generator of pseudo-random numbers in [0, 1) (mulberry32). The same seed results in the same numbers. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Faults of the network and of the hosts. */
export interface NetworkFaults extends PathFaults {
  /**
   * Share of datagrams that the client's own host fails to send, which causes a `local` fault. Datagrams of bound sockets (servers) are not
   * affected.
   */
  readonly refuse?: number
  /** Maximum number of open sockets on all hosts together. Opening a further socket fails. */
  readonly descriptors?: number
}

/** Options of a network. */
export interface NetworkOptions extends NetworkFaults {
  /** Seed of all random decisions (default: 1). */
  readonly seed?: number
  /** Host names and their addresses. */
  readonly names?: Readonly<Record<string, string>>
  /**
   * Whether sockets have the method `sendQuietly`, which sends without reporting errors. Sockets of Node have this method (default:
   * `false`).
   */
  readonly sendsQuietly?: boolean
  /** Whether a connected socket reports a fault (ICMP port unreachable) if no socket exists at the destination (default: `true`). */
  readonly reportsClosedPorts?: boolean
}

interface Host {
  readonly options: OpenOptions
  readonly handler: DatagramHandler
  readonly local: Endpoint
}

const FIRST_EPHEMERAL_PORT = 49_152
const SPOOFER: Readonly<Record<Family, Endpoint>> = {
  4: { address: "127.66.66.66", port: 666 },
  6: { address: "::66", port: 666 }
}

const endpointKey = (endpoint: Endpoint): string => `${endpoint.address} ${endpoint.port}`

/** The hosts of a network, and the datagrams between the hosts. You can change `faults` at any time. */
export class MemoryNetwork {
  /** Counters of datagrams. */
  readonly counters = { sent: 0, delivered: 0, refused: 0, corrupted: 0, spoofed: 0 }
  /** The current faults. A new value applies to all datagrams that are sent after the change. */
  faults: NetworkFaults
  private readonly options: NetworkOptions
  private readonly path: NetworkPath
  private readonly hosts = new Map<string, Host>()
  private readonly timing: Timing
  private nextPort = FIRST_EPHEMERAL_PORT

  constructor(clock: Timing, options: NetworkOptions = {}) {
    this.timing = clock
    this.options = options
    this.faults = options
    this.path = new NetworkPath(seededRandom(options.seed ?? 1), 1)
  }

  get openSockets(): number {
    return this.hosts.size
  }

  /** The network as a transport. */
  readonly datagrams: typeof Datagrams.Service = {
    open: (options, handler) =>
      Effect.acquireRelease(
        Effect.suspend(() => this.add(options, handler)),
        (host) => Effect.sync(() => this.hosts.delete(endpointKey(host.local)))
      ).pipe(Effect.map((host) => this.makeHandle(host))),
    resolve: (host) =>
      Effect.suspend(() => {
        const address = canonicalAddress(host) ?? this.options.names?.[host]
        return address === undefined
          ? Effect.fail(new Unresolved({ message: `The name ${host} has no address.`, host }))
          : Effect.succeed({ address, family: address.includes(":") ? (6 as const) : (4 as const) })
      })
  }

  private add(options: OpenOptions, handler: DatagramHandler): Effect.Effect<Host, SendFailed> {
    const address = options.bind?.address ?? (options.family === 4 ? "127.0.0.1" : "::1")
    const local = { address, port: options.bind?.port || this.nextPort++ }
    if (this.hosts.has(endpointKey(local))) {
      return Effect.fail(new SendFailed({ message: `${endpointKey(local)} is in use.`, code: "EADDRINUSE" }))
    }
    if (this.hosts.size >= (this.faults.descriptors ?? Number.POSITIVE_INFINITY)) {
      return Effect.fail(openFailed(Object.assign(new Error("too many open files"), { code: "EMFILE" })))
    }
    const host: Host = { options, handler, local }
    this.hosts.set(endpointKey(local), host)
    return Effect.succeed(host)
  }

  private makeHandle(host: Host): DatagramHandle {
    const { connect } = host.options
    const sendQuietly: DatagramHandle["send"] = (bytes, address, port) =>
      void this.carry(host, bytes, connect ?? { address, port })
    const send: DatagramHandle["send"] = (bytes, address, port) => {
      const peer = connect ?? { address, port }
      if (this.carry(host, bytes, peer)) return
      const error = Object.assign(new Error("network unreachable"), { code: "ENETUNREACH" })
      host.handler.onFault({ ...toSocketFault(error), peer })
    }
    return { local: host.local, send, ...(this.options.sendsQuietly === true ? { sendQuietly } : {}) }
  }

  /** Sends a datagram through the simulated network. Returns `false` if the sender's host fails to send the datagram. */
  private carry(from: Host, bytes: Uint8Array, to: Endpoint): boolean {
    const { faults } = this
    if (from.options.bind === undefined && this.path.happens(faults.refuse)) {
      this.counters.refused++
      return false
    }
    this.counters.sent++
    for (const { afterMs, bytes: passed, forged } of this.path.pass(bytes, faults)) {
      if (forged) this.counters.spoofed++
      else if (passed !== bytes) this.counters.corrupted++
      if (forged) this.deliver(passed, afterMs, SPOOFER[from.options.family], to, undefined)
      else this.deliver(passed, afterMs, from.local, to, from)
    }
    return true
  }

  private deliver(bytes: Uint8Array, afterMs: number, source: Endpoint, to: Endpoint, sender: Host | undefined): void {
    this.timing.schedule(Math.max(1, afterMs), () => {
      const receiver = this.hosts.get(endpointKey(to))
      if (receiver === undefined) {
        if (sender !== undefined) this.reportClosed(sender, to)
        return
      }
      const { connect } = receiver.options
      if (connect !== undefined && endpointKey(connect) !== endpointKey(source)) return
      this.counters.delivered++
      const datagram = Uint8Array.from(bytes)
      receiver.handler.onDatagram(datagram, source.address, source.port)
      // The bytes are overwritten, so that tests detect a handler that stores the bytes without copying them.
      datagram.fill(0xcc)
    })
  }

  private reportClosed(sender: Host, to: Endpoint): void {
    if (this.options.reportsClosedPorts === false || sender.options.connect === undefined) return
    if (!this.hosts.has(endpointKey(sender.local))) return
    sender.handler.onFault({ kind: "refused", message: "port unreachable", code: "ECONNREFUSED", peer: to })
  }
}

const OPTIONS = Object.keys({
  seed: true,
  names: true,
  sendsQuietly: true,
  reportsClosedPorts: true,
  refuse: true,
  descriptors: true,
  loss: true,
  duplicate: true,
  reorder: true,
  reorderMs: true,
  corrupt: true,
  spoof: true,
  delayMs: true,
  jitterMs: true
} satisfies Readonly<Record<keyof NetworkOptions, true>>)

/** Creates a network that uses the clock of the running effect. Dies with `InvalidOption` if an option is unknown. */
export const makeNetwork = (options?: NetworkOptions): Effect.Effect<MemoryNetwork> =>
  Effect.map(timing, (clock) => new MemoryNetwork(clock, checkedOptions(OPTIONS, options)))

/** A network as the `Datagrams` service. */
export const networkLayer = (network: MemoryNetwork): Layer.Layer<Datagrams> =>
  Layer.succeed(Datagrams, network.datagrams)
