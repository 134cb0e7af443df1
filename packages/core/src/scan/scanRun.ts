/**
 * A running scan. The scan reads targets when its dispatcher has room, and collects the results. Every target passes through the methods
 * `dispatcher.enter`, `sockets.acquire`, `engine.submit` and `dispatcher.leave`, in this order. The requests of a client pass through the
 * same methods. `ScanRun` is a plain class without Effect, because its methods run for every target.
 */
import { InfoReply } from "@sourcewire/protocol"
import { datagramKind, withoutFtl } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import type { AddressInput } from "../client/ClientShape.ts"
import { Dispatcher, Line, type Room, type Source } from "../engine/Dispatcher.ts"
import { Engine, EngineSocket, InFlight } from "../engine/Engine.ts"
import { QueryExchange } from "../query/QueryExchange.ts"
import { makeExchange, ServerExchange } from "../query/ServerExchange.ts"
import { ScanProgress } from "./ScanProgress.ts"
import type { Failed, ScanQuery, ScanResult } from "./ScanResult.ts"
import { InvalidOption } from "../client/Options.ts"
import { Excluded, TargetsFailed } from "./ScanResult.ts"
import type { ScanPlan } from "./ScanOptions.ts"
import { routeKey, routeKeyOfText } from "../address/ip.ts"
import { keyAddress, ipv4Text } from "../address/ipv4.ts"
import { Retry, RoundTrip } from "../engine/Retry.ts"
import { CongestionWindow } from "./congestionWindow.ts"
import { ResultBuffer } from "./resultBuffer.ts"
import { OutageClock } from "./outageClock.ts"
import { ScanTimeouts } from "./timeouts.ts"
import { mixNumber, RouteTable } from "../engine/RouteTable.ts"
import { scanEngine, ScanOwner } from "./scanOwner.ts"
import { BURST_BYTES } from "../engine/receiveQueue.ts"
import { Sockets } from "../engine/Sockets.ts"
import { SCAN_FIRST_OUTAGE_MS } from "../Limits.ts"
import { Dedup, InFlightKeys, NumberTable } from "./dedup.ts"
import { HostLimits, hostKey, type Limited, networkKey } from "./hostLimits.ts"
import { type TargetOwner, Target } from "./target.ts"
import { NONE, TargetSource } from "./targetSource.ts"

/** Interval at which the scan adapts the {@link CongestionWindow} and updates its {@link ScanProgress}, in ms. */
const TICK_MS = 100
/**
 * Once per this many intervals of {@link TICK_MS}, the scan reads the system's count of dropped datagrams. On Linux, reading the count
 * takes 3 ms.
 */
const TICKS_PER_COUNT = 10
/**
 * Maximum number of targets that are read without a pause. Without this limit, a source that returns only duplicates would block timers and
 * sockets.
 */
const READS_IN_A_ROW = 4096
/**
 * The scan pauses if the number of unread results reaches the option `concurrency` plus this number. The number of unread results includes
 * the targets that were read and have no result yet (except overdue targets), because each of these targets becomes a result.
 */
const UNREAD_RESULTS = 512

/**
 * Prevents JavaScriptCore's last compiler (see `Ftl.ts`) from compiling the functions that run per datagram. The decoders of players and
 * rules are not in this list, because the compiler makes their loops over bytes faster.
 */
const spareCompiler = /* @__PURE__ */ withoutFtl(() => [
  ScanRun,
  Dispatcher,
  Line,
  ScanOwner,
  Engine,
  EngineSocket,
  InFlight,
  OutageClock,
  Target,
  ServerExchange,
  QueryExchange,
  Retry,
  ScanTimeouts,
  RoundTrip,
  ResultBuffer,
  TargetSource,
  Sockets,
  CongestionWindow,
  HostLimits,
  Dedup,
  NumberTable,
  RouteTable,
  ScanProgress,
  routeKey,
  routeKeyOfText,
  ipv4Text,
  keyAddress,
  mixNumber,
  datagramKind,
  hostKey,
  networkKey,
  InfoReply.fast!
])

/** A running scan. After each change of its state, {@link ScanRun.pump} is called. */
export class ScanRun implements TargetOwner, Room, Source {
  readonly results: ResultBuffer<ScanResult<ScanQuery>, InvalidOption | TargetsFailed>
  private readonly plan: ScanPlan
  readonly maxMs: number
  readonly repeats: boolean
  private readonly engine: Engine<Target>
  private readonly source: TargetSource
  readonly sockets: Sockets
  private readonly window: CongestionWindow
  private readonly dispatcher: Dispatcher<Limited>
  /** Whether the targets are an array. In this case, the texts of the targets are in memory anyway. */
  private readonly isList: boolean
  private readonly dedup: Dedup | InFlightKeys
  /** The route keys of targets without a result. Present only if the source may return targets again. */
  private readonly inFlightKeys: InFlightKeys | undefined
  /** The numbers of results that earlier scans have added to the progress object. */
  private readonly earlier: { readonly answered: number; readonly failed: number }
  private dropped = 0
  private ticks = 0
  private isClosed = false
  /** Number of targets read since the last result or the last pause. */
  private reads = 0
  /** Number of targets whose host names are being looked up. */
  private lookedUp = 0
  /** Objects of targets that have their results, for reuse. */
  private readonly idle: Array<Target> = []
  private cancelTick: (() => void) | undefined = undefined
  private cancelWake: (() => void) | undefined = undefined

  constructor(plan: ScanPlan) {
    spareCompiler()
    this.plan = plan
    this.earlier = { answered: plan.progress.answered, failed: plan.progress.failed }
    const pump = (): void => this.pump()
    this.results = new ResultBuffer(plan.timing, pump, plan.batchMs)
    this.source = new TargetSource(plan.targets, pump, (cause) => this.onSourceError(cause))
    const { budget, timeouts, timing } = plan
    this.maxMs = timeouts.maxMs
    this.repeats = timeouts.retries > 0
    const outages = new OutageClock(timing, timeouts.roundTrip)
    this.engine = scanEngine(timing, outages, budget.bucket)
    this.sockets = new Sockets({
      open: plan.open,
      engine: this.engine,
      timing,
      fork: plan.fork,
      shared: {
        count: plan.sockets,
        burstBytes: BURST_BYTES[plan.query],
        batching: plan.batching,
        patienceMs: SCAN_FIRST_OUTAGE_MS
      }
    })
    this.window = new CongestionWindow(plan.concurrency)
    this.dispatcher = new Dispatcher({
      groups: budget.limits,
      room: this,
      source: this
    })
    this.inFlightKeys = plan.recurring ? new InFlightKeys() : undefined
    const list = Array.isArray(plan.targets) ? plan.targets : undefined
    this.isList = list !== undefined
    this.dedup = this.inFlightKeys ?? new Dedup(list?.length)
    this.tick()
  }

  /** The numbers of results of this scan so far. */
  get counted(): { readonly answered: number; readonly failed: number } {
    const { earlier } = this
    const { answered, failed } = this.plan.progress
    return { answered: answered - earlier.answered, failed: failed - earlier.failed }
  }

  /** Stops at once: cancels all timers, sends no further datagrams, and reports no further results. */
  abort(): void {
    this.results.forget()
    this.free()
  }

  /** Stops at once, and closes the sockets. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.abort()
    return this.sockets.close
  })

  /** Called when the scan is complete, or when the caller stops the scan. The reader can still read the results in the buffer. */
  stop(): void {
    if (this.isClosed) return
    this.free()
    this.results.finish()
  }

  private free(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.cancelTick?.()
    this.cancelWake?.()
    this.source.close()
    this.dispatcher.close()
    this.engine.clear()
    this.updateProgress()
  }

  /**
   * Starts the targets that can be started. Called after each change of the scan's state, because after the change, another target may be
   * allowed to start.
   */
  pump(): void {
    if (this.isClosed) return
    this.dispatcher.startAll()
    if (this.source.isOver && this.isIdle()) this.stop()
  }

  /** Whether the dispatcher may read a target. */
  get hasMore(): boolean {
    return !this.source.isOver && !this.source.isPending
  }

  /** Whether one more target may start. `counted` is the number of targets in flight that are not overdue. */
  hasRoom(counted: number): boolean {
    if (this.reads >= READS_IN_A_ROW) return this.waitForTurn(0)
    if (counted >= this.window.size) return false
    // Each target that was read and has no result yet counts as an unread result (see `UNREAD_RESULTS`).
    const { budget, concurrency } = this.plan
    const unread = this.results.batch.length + counted + this.dispatcher.queued + this.lookedUp
    if (unread >= concurrency + UNREAD_RESULTS) return false
    const waitMs = budget.bucket === undefined ? 0 : budget.waitMs(this, this.plan.timing)
    return waitMs === 0 || this.waitForTurn(waitMs)
  }

  /** Schedules the next attempt to start targets. Returns `false`, because no target may start now. */
  private waitForTurn(waitMs: number): false {
    this.cancelWake ??= this.plan.timing.schedule(waitMs, () => {
      this.cancelWake = undefined
      this.reads = 0
      this.pump()
    })
    return false
  }

  /** Reads a target. Returns `false` if the source has no target now. */
  readNext(): boolean {
    const target = this.source.next()
    if (target === NONE) return false
    this.plan.progress.onRead()
    this.reads++
    const key = typeof target === "string" ? routeKeyOfText(target, Address.DEFAULT_PORT) : -1
    if (key === -1) this.parse(target)
    else this.admit(target, key & 65_535, key, !this.isList)
    return true
  }

  private parse(target: AddressInput): void {
    const parsed = Address.from(target)
    if (Result.isFailure(parsed)) {
      this.report({ _tag: "Failed", target, error: parsed.failure, sent: 0, received: 0 })
      return
    }
    const { family, host, port } = parsed.success
    if (family !== undefined) {
      this.admit(target, port, routeKey(host, port), false)
      return
    }
    const { lookup } = this.plan
    this.lookedUp++
    const looked = Effect.map(Effect.result(lookup.lookUp(host, this.maxMs, this.plan.family)), (found) => {
      this.lookedUp--
      if (this.isClosed) return
      if (Result.isFailure(found)) {
        this.report({ _tag: "Failed", target, port, error: found.failure, sent: 0, received: 0 })
      } else this.admit(target, port, routeKey(found.success.address, port), false)
      this.pump()
    })
    this.plan.forkScoped(looked)
  }

  /**
   * Adds a target to the dispatcher if the target is neither a duplicate nor excluded. If `isRemade` is true, the text of the target is not
   * stored. When the text is needed, it is formatted from the key.
   */
  private admit(target: AddressInput, port: number, key: number | string, isRemade: boolean): void {
    const { excluded, progress } = this.plan
    if (!this.dedup.add(key)) {
      progress.onDuplicate()
      this.reportDuplicate(target)
      return
    }
    if (excluded?.has(hostKey(key)) === true) {
      this.inFlightKeys?.delete(key)
      const address = keyAddress(key)
      const error = new Excluded({ message: `${address} is in an excluded range.` })
      this.report({ _tag: "Failed", target, address, port, error, sent: 0, received: 0 })
      return
    }
    const { timeouts, query } = this.plan
    const admitted = this.idle.pop() ?? new Target(this, makeExchange(query, timeouts, timeouts.roundTrip), port, key)
    admitted.begin(target, port, key, isRemade)
    this.dispatcher.enter(admitted)
  }

  private reportDuplicate(target: AddressInput): void {
    try {
      this.plan.onDuplicate?.(target)
    } catch (error) {
      this.results.endWith({ _tag: "Defect", error })
      this.stop()
    }
  }

  onTargetDone(target: Target): void {
    if (this.isClosed) return
    this.reads = 0
    const result = target.outcome()
    this.inFlightKeys?.delete(target.key)
    if (result._tag === "Failed") {
      // The option `random` threw an error, so no target can succeed.
      if (result.error instanceof InvalidOption) {
        this.results.endWith({ _tag: "Failure", error: result.error })
        this.stop()
      } else this.report(result)
    } else {
      const { repeated } = target.exchange
      this.plan.progress.onReply(result.rttAmbiguous === true ? undefined : result.rttMs, repeated)
      // The reply of an overdue target shows that the server is slow, and not that the network drops datagrams.
      if (!target.isOverdue) this.window.onReply(repeated)
      this.results.push(result)
    }
    // If the exchange were not reset now, the reply would stay in memory until the object is reused.
    target.exchange.reset()
    this.idle.push(target)
    this.dispatcher.leave(target)
    this.pump()
  }

  onOverdue(target: Target): void {
    this.dispatcher.setOverdue(target)
    this.pump()
  }

  private report(result: Failed): void {
    this.plan.progress.onFailure()
    this.results.push(result)
  }

  private isIdle(): boolean {
    return this.dispatcher.inFlight + this.dispatcher.queued + this.lookedUp === 0
  }

  private onSourceError(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new TargetsFailed({ message: `Reading the targets failed: ${reason}`, cause })
    this.results.endWith({ _tag: "Failure", error })
  }

  private readonly tick = (): void => {
    // A background timer: if the reader has stopped reading, this timer must not keep the program running.
    this.cancelTick = this.plan.timing.schedule(TICK_MS, this.tick, true)
    const dropped = ++this.ticks % TICKS_PER_COUNT === 0 ? this.sockets.countDropped() : this.dropped
    if (dropped > this.dropped) this.window.onDropped()
    else this.window.onTick()
    this.dropped = dropped
    this.updateProgress()
    this.pump()
  }

  private updateProgress(): void {
    const { counters, inFlight } = this.engine
    const { parked } = this.dispatcher
    this.plan.progress.update({ ...counters, inFlight, parked, window: this.window.size, dropped: this.dropped })
  }
}
