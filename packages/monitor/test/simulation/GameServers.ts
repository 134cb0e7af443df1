/**
 * Game servers whose replies depend only on the number of the server, the time and the seed. These servers replace the network that the
 * scan's engine uses. Each reply arrives after a round-trip time. Requests and replies can be lost.
 */
import type { DatagramHandler } from "@sourcewire/core/transport"
import { Datagrams } from "@sourcewire/core/transport"
import { encode } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { info } from "../answers.ts"
import type { Machine, World } from "./World.ts"

/** Number of servers that share a /24 network. */
const PER_NETWORK = 50
const PORT = 27_015
/** The INFO reply of all servers, except for the map. The reply is short, because the simulation may have a million servers. */
const { gameId: _gameId, keywords: _keywords, sourceTv: _sourceTv, steamId: _steamId, ...shortInfo } = info

/** Number of intervals between two changes of a server's map. */
const MAP = 7
/** Length of an outage of a server, in intervals. An outage is long enough for at least two failed queries. */
const DOWN = 3.4
/** Time from the start of an outage to the start of the next outage, in intervals. */
const DOWN_EVERY = 15

const [STEADY, RESTARTING, DEAD] = [0, 1, 2]
/**
 * One in {@link ONE_RESTARTS_OF} servers goes down every {@link DOWN_EVERY} intervals. One in {@link ONE_IS_DEAD_OF} servers never replies.
 */
const ONE_RESTARTS_OF = 50
const ONE_IS_DEAD_OF = 33

/** A callback that runs for each datagram that a machine sends to a server, even if the datagram is lost. */
export type OnQuery = (server: number, machine: Machine) => void

/** All game servers, and the network through which machines reach them. */
export class GameServers {
  readonly count: number
  /** Share of lost datagrams in each direction. */
  loss = 0
  private readonly world: World
  private readonly startedAt: number
  private readonly intervalMs: number
  private readonly onQuery: OnQuery
  private readonly kinds: Uint8Array
  private readonly phases: Uint32Array
  private readonly replies = new Map<number, Uint8Array>()

  constructor(world: World, count: number, intervalMs: number, onQuery: OnQuery) {
    this.world = world
    this.startedAt = world.now
    this.count = count
    this.intervalMs = intervalMs
    this.onQuery = onQuery
    const { random } = world
    this.kinds = Uint8Array.from({ length: count }, () =>
      random() * ONE_RESTARTS_OF < 1 ? RESTARTING : random() * ONE_IS_DEAD_OF < 1 ? DEAD : STEADY
    )
    this.phases = Uint32Array.from({ length: count }, () => random() * DOWN_EVERY * MAP * intervalMs)
  }

  address(server: number): string {
    const network = Math.floor(server / PER_NETWORK)
    return `10.${network >> 8}.${network & 255}.${1 + (server % PER_NETWORK)}:${PORT}`
  }

  /** Returns the number of the server with this address. */
  at(host: string): number {
    const [, high, low, last] = host.split(".")
    return (Number(high) * 256 + Number(low)) * PER_NETWORK + Number(last) - 1
  }

  /** Whether the server always replies. */
  isSteady(server: number): boolean {
    return this.kinds[server] === STEADY
  }

  isUp(server: number, now = this.world.now): boolean {
    const kind = this.kinds[server]
    return (
      kind === STEADY ||
      (kind === RESTARTING && (now + this.phases[server]!) % (DOWN_EVERY * this.intervalMs) > DOWN * this.intervalMs)
    )
  }

  /** The number of the server's map. Each change of the map increases the number by 1. */
  map(server: number, now = this.world.now): number {
    const mapMs = MAP * this.intervalMs
    return 1 + Math.floor((now - this.startedAt + (this.phases[server]! % mapMs)) / mapMs)
  }

  /** The network through which a machine reaches the servers. */
  datagramsOf(machine: Machine): typeof Datagrams.Service {
    return Datagrams.of({
      open: (_options, handler) =>
        Effect.succeed({
          local: { address: "192.0.2.1", port: 40_000 },
          send: (_bytes, address, port) => this.ask(machine, handler, address, port)
        }),
      resolve: (host) => Effect.succeed({ address: host, family: 4 })
    })
  }

  private ask(machine: Machine, handler: DatagramHandler, address: string, port: number): void {
    const server = this.at(address)
    this.onQuery(server, machine)
    const { loss, world } = this
    if (!this.isUp(server) || (loss > 0 && (world.random() < loss || world.random() < loss))) return
    // The servers have only two different round-trip times. Therefore many replies arrive in the same millisecond, which saves CPU time.
    const roundTrip = server % 2 === 0 ? 20 : 70
    const reply = this.reply(this.map(server))
    world.schedule(roundTrip, () => handler.onDatagram(reply, address, port), machine)
  }

  private reply(map: number): Uint8Array {
    const known = this.replies.get(map)
    if (known !== undefined) return known
    const bytes = Result.getOrThrow(encode({ ...shortInfo, map: `map_${map}` }))
    this.replies.set(map, bytes)
    return bytes
  }
}
