/**
 * The sockets of a scan: one per family, or as many as it takes for the system's receive queues to hold what may arrive while the
 * process is busy. Opened when the first target of a family comes up. Where the system gives none for 5 s, all targets of the family fail
 * for as long; then the next one has it asked again, which matters to scans that have no end.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Family } from "../engine/Datagrams.ts"
import type { Engine, EngineSocket } from "../engine/Engine.ts"
import { MAX_SCAN_SOCKETS, SCAN_FIRST_OUTAGE_MS, SCAN_RECEIVE_BUFFER_BYTES } from "../Limits.ts"
import type { SendFailed } from "../engine/QueryError.ts"
import type { Target } from "./target.ts"
import type { ScanPlan } from "./ScanOptions.ts"
import { BURST_BYTES, burstsThatFit } from "../engine/receiveQueue.ts"

/** How often a socket is asked for that the system does not give, in ms. */
const REOPEN_MS = 250

/** Opens the sockets, and gives each target its own. */
export class ScanSockets {
  private readonly plan: ScanPlan
  private readonly engine: Engine<Target>
  private readonly onReady: () => void
  private readonly open = new Map<Family, ReadonlyArray<EngineSocket> | SendFailed | "opening">()
  /** When it is asked again for those that it did not give. */
  private readonly reopensAt = new Map<Family, number>()
  private turn = 0

  /** `onReady` is called when {@link of} is worth asking again. */
  constructor(plan: ScanPlan, engine: Engine<Target>, onReady: () => void) {
    this.plan = plan
    this.engine = engine
    this.onReady = onReady
  }

  /** A socket for the next target, in turn; or that there is none yet, or that none is to be had. */
  of(family: Family): EngineSocket | SendFailed | "opening" {
    const sockets = this.open.get(family)
    const reopensAt = this.reopensAt.get(family)
    if (sockets === undefined || (reopensAt !== undefined && this.plan.timing.now() >= reopensAt)) {
      this.reopensAt.delete(family)
      this.open.set(family, "opening")
      this.plan.fork(this.openAll(family))
      return this.of(family)
    }
    if (sockets === "opening" || "_tag" in sockets) return sockets
    // Each gets its equal share and no more, or one queue would run over while another is empty.
    const share = Math.ceil(this.plan.concurrency / sockets.length)
    for (let tries = sockets.length; tries > 0; tries--) {
      this.turn = (this.turn + 1) % sockets.length
      if (sockets[this.turn]!.inFlight < share) break
    }
    return sockets[this.turn]!
  }

  /** Datagrams that the system dropped in our receive queues, as far as it tells. */
  countDropped(): number {
    let sum = 0
    for (const sockets of this.open.values()) {
      if (sockets === "opening" || "_tag" in sockets) continue
      for (const { handle } of sockets) sum += handle?.countDropped?.() ?? 0
    }
    return sum
  }

  private openAll(family: Family): Effect.Effect<void, never, Scope.Scope> {
    const opening = Effect.gen({ self: this }, function* () {
      const [first, receiveBufferBytes] = yield* this.openFirst(family)
      const { concurrency, query } = this.plan
      const needed = Math.ceil(concurrency / burstsThatFit(BURST_BYTES[query], receiveBufferBytes))
      const count = this.plan.sockets ?? Math.min(MAX_SCAN_SOCKETS, needed)
      const sockets = [first]
      while (sockets.length < count) {
        const another = yield* Effect.result(this.openOne(family))
        // No descriptor is left: the targets share what there is.
        if (Result.isFailure(another)) break
        sockets.push(another.success[0])
      }
      return sockets
    })
    return Effect.match(opening, {
      onSuccess: (sockets) => this.opened(family, sockets),
      onFailure: (error) => this.opened(family, error)
    })
  }

  /** Without it there is no scan, so a fault of this machine is waited for. */
  private readonly openFirst = Effect.fnUntraced({ self: this }, function* (this: ScanSockets, family: Family) {
    for (let waitedMs = 0; ; waitedMs += REOPEN_MS) {
      const opened = yield* Effect.result(this.openOne(family))
      const isPassing = Result.isFailure(opened) && opened.failure.local === true
      if (!isPassing || waitedMs >= SCAN_FIRST_OUTAGE_MS) return yield* Effect.fromResult(opened)
      yield* Effect.sleep(REOPEN_MS)
    }
  })

  private openOne(family: Family) {
    const socket = this.engine.socket()
    const options = { family, receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES, batching: this.plan.batching }
    return Effect.map(this.plan.open(options, socket), (handle) => {
      socket.attach(handle)
      return [socket, handle.receiveBufferBytes] as const
    })
  }

  private opened(family: Family, outcome: ReadonlyArray<EngineSocket> | SendFailed): void {
    this.open.set(family, outcome)
    if ("_tag" in outcome && outcome.local === true) {
      this.reopensAt.set(family, this.plan.timing.now() + SCAN_FIRST_OUTAGE_MS)
    }
    this.onReady()
  }
}
