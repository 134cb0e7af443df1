/**
 * What must hold of a fleet, looked at from outside: by the game servers, which hear who asks them, and by the database, which sees what
 * is written. Nothing here asks the monitors what they believe.
 */
import { choosePhase } from "../../src/schedule/rhythm.ts"
import { findSlice } from "../../src/store/slices.ts"
import type { DatabaseServer, Peer, Rows } from "./DatabaseServer.ts"
import type { GameServers } from "./GameServers.ts"
import type { Machine, World } from "./World.ts"

/** Who has asked and got no answer asks again within this time, in ms. */
const RETRIES_MS = 3500

/** Counts of one part of a run. */
export interface Counts {
  /** Servers asked; one that is asked again since nothing came counts once. */
  asked: number
  /** Servers that were queried again in the same round. */
  twice: number
  /** So long after its turn a server that always answers was asked, or is not asked yet, at most, in ms. */
  lateMs: number
  /** Rows written by an instance that does not own their slice. */
  foreign: number
  /** How often a slice got another owner. */
  moves: number
}

const nothing = (): Counts => ({ asked: 0, twice: 0, lateMs: 0, foreign: 0, moves: 0 })

/** Watches servers and database. */
export class Audit {
  counts = nothing()
  servers!: GameServers
  private readonly world: World
  private readonly database: DatabaseServer
  private readonly intervalMs: number
  private readonly askedAt: Float64Array
  private readonly offsets: Float64Array
  private readonly rounds: Int32Array
  /** Of each server. */
  readonly slices: Uint16Array
  /** When datagrams were last lost. */
  private lossyAt = 0
  /** Numbers of the machines that asked last. */
  private readonly askers: Uint32Array

  /** When a machine first sent a query that it may repeat, by machine and server. */
  private readonly repeatable = new Map<number, number>()

  constructor(world: World, database: DatabaseServer, count: number, intervalMs: number) {
    this.world = world
    this.database = database
    this.intervalMs = intervalMs
    this.askedAt = new Float64Array(count)
    this.offsets = new Float64Array(count)
    this.rounds = new Int32Array(count)
    this.slices = new Uint16Array(count)
    this.askers = new Uint32Array(count)
  }

  /** Learns who the servers are. */
  attend(servers: GameServers): void {
    this.servers = servers
    for (let server = 0; server < servers.count; server++) {
      const address = servers.address(server)
      this.offsets[server] = choosePhase(address) * this.intervalMs
      this.slices[server] = findSlice({ host: address.slice(0, address.indexOf(":")), port: 0, family: 4 })
    }
  }

  /** What was counted since the last time; who has not been asked in his turn counts with the time up to now. */
  take(): Counts {
    const { counts } = this
    for (let server = 0; server < this.servers.count; server++) this.look(server)
    this.counts = nothing()
    return counts
  }

  readonly onAsked = (server: number, machine: Machine): void => {
    const { askedAt, askers, counts, rounds, servers } = this
    const { now } = this.world
    const before = askedAt[server]!
    if (servers.loss > 0) this.lossyAt = now
    const mayRepeat = now - this.lossyAt < RETRIES_MS || !servers.isSteady(server)
    if (mayRepeat) {
      if (askers[server] === machine.number && now - before < RETRIES_MS) return
      // Two machines that query a silent server repeat their queries in turns.
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
    askers[server] = machine.number
    rounds[server] = round % 2 ** 31
  }

  /** Looks how long after its turn a server is asked. An answer may come in another round than its question, and counts there. */
  private look(server: number): void {
    const before = this.askedAt[server]!
    if (before === 0 || !this.servers.isSteady(server)) return
    const rounds = Math.floor((before + RETRIES_MS - this.offsets[server]!) / this.intervalMs)
    const turn = this.offsets[server]! + (rounds + 1) * this.intervalMs
    this.counts.lateMs = Math.max(this.counts.lateMs, Math.ceil(this.world.now - turn))
  }

  /** Targets are entered in order, so a server's number is its target's less one. */
  readonly onCommit = (writer: Peer, rows: Rows): void => {
    for (const { target } of [...rows.known, ...rows.changes, ...rows.samples]) {
      if (this.database.slices.get(this.slices[target - 1]!)!.peer !== writer) this.counts.foreign++
    }
  }

  /** How long ago servers that always answer were asked, by what is stored, in ms: the oldest, and what half and 99 % are below. */
  ages(): { readonly half: number; readonly most: number; readonly oldest: number } {
    const ages = new Float64Array(this.servers.count)
    let count = 0
    for (let server = 0; server < this.servers.count; server++) {
      if (!this.servers.isSteady(server)) continue
      ages[count++] = this.world.now - (this.database.latest.get(server + 1)?.askedAt ?? 0)
    }
    const sorted = ages.subarray(0, count).sort()
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
    return { half: at(0.5), most: at(0.99), oldest: at(1) }
  }

  /** Servers whose stored changes are not those that they made, one after the other, up to what is known of them. */
  falseHistories(): ReadonlyArray<string> {
    const found: Array<string> = []
    for (let server = 0; server < this.servers.count; server++) {
      const why = this.falsehood(server)
      if (why !== undefined) found.push(`${this.servers.address(server)}: ${why}`)
    }
    return found
  }

  private falsehood(server: number): string | undefined {
    const known = this.database.latest.get(server + 1)
    if (known === undefined) return "nothing is stored"
    const changes = this.database.changesOf.get(server + 1) ?? []
    let [map, state] = ["", ""]
    for (const { became, field, was } of changes) {
      const before = field === "map" ? map : state
      if (before !== "" && before !== was) return `${field} became ${before}, and then was ${was}`
      if (field === "map") map = became
      else if (field === "state") state = became
      else return `${field} never changes`
      if (field === "map" && Number(became.slice(4)) !== Number(was.slice(4)) + 1 && this.servers.isSteady(server)) {
        return `its map became ${became} after ${was}`
      }
    }
    const last = known.last?.answer.info.map
    if (map !== "" && map !== last) return `its map is ${String(last)}, and the last change says ${map}`
    if (state !== "" && state !== known.state) return `it is ${known.state}, and the last change says ${state}`
    if (this.servers.isSteady(server) && state !== "") return "it was always up"
    return undefined
  }
}
