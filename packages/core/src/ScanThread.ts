/**
 * What a thread of a scan runs: a scan of its own, whose targets come from the thread that was asked and whose results go there.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { AddressInput } from "./Client.ts"
import type { Datagrams } from "./Datagrams.ts"
import { beginScan } from "./internal/scan/beginScan.ts"
import { TargetQueue } from "./internal/threads/targetQueue.ts"
import type { NumberedTarget, Order, Report } from "./internal/threads/wire.ts"
import { countsOf, FULL_MESSAGE, pack, RESULTS_AHEAD } from "./internal/threads/wire.ts"
import { ScanProgress } from "./ScanProgress.ts"
import type { ScanQuery, ScanResult } from "./ScanResult.ts"
import type { ThreadPort } from "./Threads.ts"
import { timing } from "./Timing.ts"

/** How often the other side hears of progress when there are no results, in ms. */
const REPORT_MS = 100

type BegunScan = Effect.Success<ReturnType<typeof beginScan>>

const sentAs = (target: AddressInput): string | number =>
  typeof target === "string" ? target : (target as NumberedTarget).id

/** The scan of one thread, between its port and the scanner. */
class ServedScan {
  private readonly port: ThreadPort
  private readonly progress = new ScanProgress()
  private readonly targets = new TargetQueue(() => this.onRead())
  private readonly stop = new AbortController()
  private duplicates: Array<string | number> = []
  private read = 0
  /** Results of which it is not known yet that they were taken. */
  private ahead = 0
  private isReading = false
  private isOver = false
  private run: BegunScan | undefined = undefined

  constructor(port: ThreadPort) {
    this.port = port
  }

  /** Does what it is told; a scan that it is told to begin ends with the thread. */
  readonly obey = (order: Order, datagrams: Layer.Layer<Datagrams>): void => {
    switch (order._tag) {
      case "Begin":
        this.begin(order, datagrams)
        break
      case "Targets":
        this.targets.add(order.targets)
        break
      case "End":
        this.targets.end()
        break
      case "Taken":
        this.ahead -= order.count
        this.readOn()
        break
      case "Stop":
        this.stop.abort()
        this.readOn()
    }
  }

  private begin({ options, query }: Order & { readonly _tag: "Begin" }, datagrams: Layer.Layer<Datagrams>): void {
    const { progress, stop } = this
    const onDuplicate = (target: AddressInput): void => {
      this.duplicates.push(sentAs(target))
    }
    const program = Effect.gen({ self: this }, function* () {
      this.run = yield* beginScan(this.targets, query, { ...options, progress, onDuplicate, stop: stop.signal })
      const { schedule } = yield* timing
      const tick = (): void => {
        if (this.isOver) return
        this.report([], false)
        schedule(REPORT_MS, tick)
      }
      schedule(REPORT_MS, tick)
      this.readOn()
      return yield* Effect.never
    })
    const scan = program.pipe(Effect.scoped, Effect.provide(datagrams))
    Effect.runPromise(scan).catch((error: unknown) => {
      this.post({ _tag: "Broken", message: error instanceof Error ? error.message : String(error) })
    })
  }

  private onRead(): void {
    if (++this.read >= FULL_MESSAGE) this.report([], false)
  }

  private readOn(): void {
    if (this.isReading || this.isOver || this.run === undefined || this.ahead >= RESULTS_AHEAD) return
    this.isReading = true
    this.run.outlet.take((taken) => {
      this.isReading = false
      this.isOver = taken._tag !== "Batch"
      this.report(taken._tag === "Batch" ? taken.results : [], this.isOver)
      // Not within the call: the outlet is in the middle of its delivery.
      queueMicrotask(() => this.readOn())
    })
  }

  private report(results: ReadonlyArray<ScanResult<ScanQuery>>, isLast: boolean): void {
    const { duplicates, read } = this
    this.duplicates = []
    this.read = 0
    this.ahead += results.length
    const packed = results.map((result) => pack(result, sentAs(result.target)))
    this.post({ _tag: "Progress", read, duplicates, results: packed, counts: countsOf(this.progress), isLast })
  }

  private post(report: Report): void {
    this.port.post(report)
  }
}

/** Has this thread scan as it is told through the port, over this UDP, until somebody ends the thread. */
export const serveScan = (datagrams: Layer.Layer<Datagrams>, port: ThreadPort): void => {
  const scan = new ServedScan(port)
  port.listen((order) => scan.obey(order as Order, datagrams))
}
