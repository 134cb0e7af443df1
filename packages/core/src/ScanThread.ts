/**
 * What a thread of a scan runs: a scan of its own, whose targets come from the thread that was asked and whose results go there.
 *
 * @example
 * import { scanWith, serveScan, Threads } from "@sourcewire/core"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * // A fiber in place of a thread; it could as well be a process.
 * const threads = Layer.succeed(Threads, {
 *   start: ({ onMessage }) =>
 *     Effect.gen(function* () {
 *       let obey: ((message: unknown) => void) | undefined
 *       const listen = (listener: (message: unknown) => void): void => void (obey = listener)
 *       const served = Effect.provide(serveScan({ post: onMessage, listen }), NodeDatagrams.layer)
 *       yield* Effect.forkScoped(served, { startImmediately: true })
 *       return { post: (message: unknown) => queueMicrotask(() => obey?.(message)) }
 *     })
 * })
 * const scan = scanWith(Layer.merge(NodeDatagrams.layer, threads))
 * for await (const result of scan(["127.0.0.1:27015"], "info", { threads: 2 })) console.log(result._tag)
 *
 * @module
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { AddressInput } from "./Client.ts"
import type { Datagrams } from "./Datagrams.ts"
import { beginScan } from "./internal/scan/beginScan.ts"
import type { ScanRun } from "./internal/scan/scanRun.ts"
import { TargetQueue } from "./internal/threads/targetQueue.ts"
import type { NumberedTarget, Order, Report } from "./internal/threads/wire.ts"
import { countsOf, FULL_MESSAGE, pack, RESULTS_AHEAD } from "./internal/threads/wire.ts"
import { ScanProgress } from "./ScanProgress.ts"
import type { ScanQuery, ScanResult } from "./ScanResult.ts"
import type { ThreadPort } from "./Threads.ts"
import { timing } from "./Timing.ts"

/** How often the other side hears of progress when there are no results, in ms. */
const REPORT_MS = 100

type BeginOrder = Order & { readonly _tag: "Begin" }

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
  private run: ScanRun | undefined = undefined

  constructor(port: ThreadPort) {
    this.port = port
  }

  /** Does as it is told. */
  obey(order: Exclude<Order, BeginOrder>): void {
    switch (order._tag) {
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
    }
  }

  /** Scans until its scope is closed. */
  readonly begin = Effect.fnUntraced({ self: this }, function* (this: ServedScan, { options, query }: BeginOrder) {
    const { progress, stop, targets } = this
    const onDuplicate = (target: AddressInput): void => {
      this.duplicates.push(sentAs(target))
    }
    this.run = yield* beginScan(targets, query, { ...options, progress, onDuplicate, stop: stop.signal })
    // Says that it has begun.
    this.report([], false)
    this.readOn()
    const { schedule } = yield* timing
    const tick = (): void => {
      if (this.isOver) return
      this.report([], false)
      schedule(REPORT_MS, tick)
    }
    schedule(REPORT_MS, tick)
  })

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

/** Scans as it is told through the port, for as long as the thread lives: it never ends by itself. */
export const serveScan = (port: ThreadPort): Effect.Effect<never, never, Datagrams> =>
  Effect.gen(function* () {
    const scan = new ServedScan(port)
    const order = yield* Effect.callback<BeginOrder>((resume) => {
      port.listen((message) => {
        const order = message as Order
        if (order._tag === "Begin") resume(Effect.succeed(order))
        else scan.obey(order)
      })
    })
    yield* scan.begin(order)
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      const broken: Report = { _tag: "Broken", message: error instanceof Error ? error.message : String(error) }
      return Effect.andThen(
        Effect.sync(() => port.post(broken)),
        Effect.never
      )
    })
  )
