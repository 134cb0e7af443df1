/**
 * Checks a fleet without access to the state of its monitors. The checks use only the queries that machines send to game servers, and the
 * rows that monitors write to the database.
 */
import { choosePhase } from "../../src/schedule/rhythm.ts"
import { findSlice } from "../../src/store/slices.ts"
import type { DatabaseServer, Peer, Rows } from "./DatabaseServer.ts"
import type { GameServers } from "./GameServers.ts"
import type { Machine, World } from "./World.ts"

/** The longest time between the first transmission of a query and its last retransmission, in ms. */
const RETRIES_MS = 3500

/** What the audit counted during one phase of a simulation. */
export interface Counts {
  /** Number of queries. Retransmissions are not counted. */
  asked: number
  /** Number of queries of servers that had already been queried in the same interval. */
  twice: number
  /** Maximum delay of a query after its scheduled time, in ms, including overdue queries. Only servers that always reply are included. */
  lateMs: number
  /** Number of written rows whose slice belonged to another instance than the writer. */
  foreign: number
  /** Number of times that a slice changed its owner. */
  moves: number
}

const nothing = (): Counts => ({ asked: 0, twice: 0, lateMs: 0, foreign: 0, moves: 0 })

/** Records the queries that machines send, and checks the rows that monitors write. */
export class Audit {
  counts = nothing()
  servers!: GameServers
  private readonly world: World
  private readonly database: DatabaseServer
  private readonly intervalMs: number
  private readonly askedAt: Float64Array
  private readonly offsets: Float64Array
  private readonly rounds: Int32Array
  readonly slices: Uint16Array
  /** The time of the last query that was sent while the network lost datagrams. */
  private lossyAt = 0
  /** For each server: the machine that sent the last query, as `Machine.number`. */
  private readonly lastMachines: Uint32Array

  /**
   * For each machine and server: the time of the first datagram of the last query from the machine to the server. Only queries that may be
   * retransmitted are included.
   */
  private readonly repeatable = new Map<number, number>()

  constructor(world: World, database: DatabaseServer, count: number, intervalMs: number) {
    this.world = world
    this.database = database
    this.intervalMs = intervalMs
    this.askedAt = new Float64Array(count)
    this.offsets = new Float64Array(count)
    this.rounds = new Int32Array(count)
    this.slices = new Uint16Array(count)
    this.lastMachines = new Uint32Array(count)
  }

  /** Sets the servers, and computes the schedule and the slice of each server. */
  setServers(servers: GameServers): void {
    this.servers = servers
    for (let server = 0; server < servers.count; server++) {
      const address = servers.address(server)
      this.offsets[server] = choosePhase(address) * this.intervalMs
      this.slices[server] = findSlice({ host: address.slice(0, address.indexOf(":")), port: 0, family: 4 })
    }
  }

  /** Returns the totals since the last call. Overdue queries that were not sent yet are included in the maximum delay. */
  take(): Counts {
    const { counts } = this
    for (let server = 0; server < this.servers.count; server++) this.look(server)
    this.counts = nothing()
    return counts
  }

  readonly onQuery = (server: number, machine: Machine): void => {
    const { askedAt, lastMachines, counts, rounds, servers } = this
    const { now } = this.world
    const before = askedAt[server]!
    if (servers.loss > 0) this.lossyAt = now
    const mayRepeat = now - this.lossyAt < RETRIES_MS || !servers.isSteady(server)
    if (mayRepeat) {
      if (lastMachines[server] === machine.number && now - before < RETRIES_MS) return
      // If two machines query the same silent server, their retransmissions alternate. In this case, the
      // sender of the previous datagram does not reveal whether this datagram is a retransmission.
      const key = machine.number * servers.count + server
      const isRepeated = now - (this.repeatable.get(key) ?? Number.NEGATIVE_INFINITY) < RETRIES_MS
      if (isRepeated) return
      this.repeatable.set(key, now)
    }
    counts.asked++
    const round = Math.floor((now - this.offsets[server]!) / this.intervalMs)
    if (before > 0 && rounds[server] === round % 2 ** 31) counts.twice++
    this.look(server)
    askedAt[server] = now
    lastMachines[server] = machine.number
    rounds[server] = round % 2 ** 31
  }

  /**
   * Records how late the next query of a server is. A query near the end of an interval may be in flight when the next interval begins. No
   * query of the server is due in this next interval.
   */
  private look(server: number): void {
    const before = this.askedAt[server]!
    if (before === 0 || !this.servers.isSteady(server)) return
    const rounds = Math.floor((before + RETRIES_MS - this.offsets[server]!) / this.intervalMs)
    const turn = this.offsets[server]! + (rounds + 1) * this.intervalMs
    this.counts.lateMs = Math.max(this.counts.lateMs, Math.ceil(this.world.now - turn))
  }

  /**
   * Counts written rows whose slice the writer does not own. Targets are added in the order of the servers: server 0 is target 1, server 1
   * is target 2.
   */
  readonly onCommit = (writer: Peer, rows: Rows): void => {
    for (const { target } of [...rows.known, ...rows.changes, ...rows.samples]) {
      if (this.database.slices.get(this.slices[target - 1]!)!.peer !== writer) this.counts.foreign++
    }
  }

  /** Ages of the stored results of servers that always reply, in ms: the median, the 99th percentile and the maximum. */
  ages(): { readonly half: number; readonly most: number; readonly oldest: number } {
    const ages = new Float64Array(this.servers.count)
    let count = 0
    for (let server = 0; server < this.servers.count; server++) {
      if (!this.servers.isSteady(server)) continue
      ages[count++] = this.world.now - (this.database.latest.get(server + 1)?.queriedAt ?? 0)
    }
    const sorted = ages.subarray(0, count).sort()
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
    return { half: at(0.5), most: at(0.99), oldest: at(1) }
  }

  /** Finds servers with a wrong history: if their stored changes are applied in order, the result differs from their stored state. */
  findWrongHistories(): ReadonlyArray<string> {
    const found: Array<string> = []
    for (let server = 0; server < this.servers.count; server++) {
      const why = this.findMistake(server)
      if (why !== undefined) found.push(`${this.servers.address(server)}: ${why}`)
    }
    return found
  }

  private findMistake(server: number): string | undefined {
    const known = this.database.latest.get(server + 1)
    if (known === undefined) return "nothing is stored"
    const changes = this.database.changesByTarget.get(server + 1) ?? []
    let [map, state] = ["", ""]
    for (const { became, field, was } of changes) {
      const before = field === "map" ? map : state
      if (before !== "" && before !== was)
        return `${field} changed to ${before}, but the next change begins with ${was}`
      if (field === "map") map = became
      else if (field === "state") state = became
      else return `${field} cannot change`
      if (field === "map" && Number(became.slice(4)) !== Number(was.slice(4)) + 1 && this.servers.isSteady(server)) {
        return `its map changed from ${was} to ${became}`
      }
    }
    const last = known.last?.answer.info.map
    if (map !== "" && map !== last) return `its map is ${String(last)}, but ${map} in the last change`
    if (state !== "" && state !== known.state) return `it is ${known.state}, but ${state} in the last change`
    if (this.servers.isSteady(server) && state !== "") return "it has a change of state, although it was always up"
    return undefined
  }
}
