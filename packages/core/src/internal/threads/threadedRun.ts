/**
 * A scan that threads do, as a whole: their results in one row, their numbers added up.
 *
 * @module
 */
import type { AddressInput } from "../../Client.ts"
import type { ScanProgress } from "../../ScanProgress.ts"
import type { Failed, ScanQuery, ScanResult } from "../../ScanResult.ts"
import { TargetsFailed } from "../../ScanResult.ts"
import { ThreadFailed } from "../../Threads.ts"
import type { Timing } from "../../Timing.ts"
import { Outlet } from "../scan/outlet.ts"
import type { Names } from "../scan/names.ts"
import { Dealer } from "./dealer.ts"
import type { Lane } from "./lane.ts"
import type { Report } from "./wire.ts"
import { addUp, unpack } from "./wire.ts"

/** How often the numbers are added up, in ms. */
const TICK_MS = 100
/** Results that may wait for the reader before no more targets are read. */
const UNREAD_RESULTS = 512

/** What it is made of. */
export interface ThreadedParts {
  readonly timing: Timing
  readonly names: Names
  readonly lanes: ReadonlyArray<Lane>
  readonly progress: ScanProgress
  readonly onDuplicate: ((target: AddressInput) => void) | undefined
  readonly targets: Iterable<AddressInput> | AsyncIterable<AddressInput>
}

/** See the module. */
export class ThreadedRun {
  readonly outlet: Outlet<ScanResult<ScanQuery>, TargetsFailed | ThreadFailed>
  private readonly parts: ThreadedParts
  private readonly dealer: Dealer
  private isOver = false
  private cancelTick: (() => void) | undefined = undefined

  constructor(parts: ThreadedParts) {
    this.parts = parts
    this.outlet = new Outlet(parts.timing, () => this.onTaken())
    this.dealer = new Dealer({
      ...parts,
      hasRoom: () => this.outlet.size < UNREAD_RESULTS,
      onFailed: (result) => this.push(result),
      onSourceError: (cause) => this.onSourceError(cause)
    })
  }

  /** To be called when the threads have had their first orders. */
  start(): void {
    if (this.isOver) return
    // Threads do not keep the process running, but a scan under way does.
    this.tick()
    this.dealer.pump()
  }

  /** A thread has something to say. */
  onReport(lane: Lane, report: Report): void {
    if (this.isOver) return
    if (report._tag === "Broken") {
      this.onThreadEnd(report.message)
      return
    }
    const { duplicates, results } = report
    lane.onReport(report)
    for (const sent of duplicates) {
      const target = this.dealer.original(sent)
      this.parts.onDuplicate?.(target)
    }
    for (const packed of results) this.push(unpack(packed, (sent) => this.dealer.original(sent)))
    this.dealer.pump()
    this.finishIfDone()
  }

  /** A thread has gone in the middle of its work. */
  onThreadEnd(cause: unknown): void {
    if (this.isOver) return
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.outlet.fail(new ThreadFailed({ message: `A thread of the scan has broken down: ${reason}`, cause }))
    this.finish()
  }

  /** Nothing more is read or sent; the results that the threads have are still given. */
  stop(): void {
    if (this.isOver) return
    this.dealer.close()
    for (const lane of this.parts.lanes) lane.stop()
    this.finishIfDone()
  }

  /** Stops at once. The threads end with their scope. */
  close(): void {
    this.outlet.forget()
    if (!this.isOver) this.free()
  }

  private push(result: ScanResult<ScanQuery> | Failed): void {
    const { progress } = this.parts
    if (result._tag === "Answered") {
      progress.answered++
      progress.onRoundTrip(result.rttMs)
    } else progress.failed++
    this.outlet.push(result)
  }

  private onTaken(): void {
    for (const lane of this.parts.lanes) lane.onTaken()
    this.dealer.pump()
  }

  private onSourceError(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.outlet.fail(new TargetsFailed({ message: `The targets could not be read on: ${reason}`, cause }))
  }

  private finishIfDone(): void {
    if (this.parts.lanes.every(({ isDone }) => isDone)) this.finish()
  }

  private finish(): void {
    this.free()
    this.outlet.finish()
  }

  private free(): void {
    this.isOver = true
    this.cancelTick?.()
    this.dealer.close()
    this.updateProgress()
  }

  private readonly tick = (): void => {
    this.cancelTick = this.parts.timing.schedule(TICK_MS, this.tick)
    this.updateProgress()
  }

  private updateProgress(): void {
    const { lanes, progress } = this.parts
    addUp(
      lanes.flatMap(({ counts }) => (counts === undefined ? [] : [counts])),
      progress
    )
    if (this.isOver) progress.inFlight = progress.parked = 0
  }
}
