/** The options of a scan, and their validation. */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Fiber from "effect/Fiber"
import type { AddressInput } from "../client/ClientShape.ts"
import {
  callable,
  demand,
  demandRandom,
  duration,
  flag,
  isFunction,
  isObject,
  isSignal,
  optional,
  checkedOptions,
  readable,
  refuse,
  whole
} from "../edge.ts"
import * as IpRanges from "../address/IpRanges.ts"
import { SCAN_CONCURRENCY, SCAN_RETRIES } from "../Limits.ts"
import { type QueryOptions, InvalidOption } from "../client/Options.ts"
import { readSettings } from "../client/settings.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { HostLookup } from "../engine/lookup.ts"
import type { Timing } from "../engine/Timing.ts"
import { RangeSet } from "./rangeSet.ts"
import { MAX_COUNT, ScanBudget } from "./ScanBudget.ts"
import { ScanProgress } from "./ScanProgress.ts"
import type { ScanQuery } from "./ScanResult.ts"
import { ScanTimeouts } from "./timeouts.ts"

/**
 * One address, or a source of addresses: an array, a generator, or an endless source. The scan reads an address from the source only
 * shortly before it queries this address.
 */
export type PlainTargets = AddressInput | Iterable<AddressInput> | AsyncIterable<AddressInput>

/**
 * The options of a scan.
 *
 * - `timeoutMs`: time limit for a reply (default: 1000 to 3000 ms, derived from the round-trip times of this scan). If you set `timeoutMs`,
 *   the scan accepts every reply within this time, even from a slow server. If a target does not reply soon after its last retransmission,
 *   the scan continues to wait for the reply, but already queries another target. Therefore dead targets do not slow down the scan.
 * - `retries`: maximum number of retransmissions per request (default: 4).
 */
export interface ScanOptions extends QueryOptions {
  /** Maximum number of targets in flight (default: 1000). If datagrams get lost, the scan lowers this number. */
  readonly concurrency?: number | undefined
  /** Maximum number of datagrams per second, including retransmissions and requests with a challenge (default: unlimited). */
  readonly rate?: number | undefined
  /** Maximum number of targets in flight at one address, on different ports (default: 64). */
  readonly perHost?: number | undefined
  /** Maximum number of targets in flight in one IPv4 /24 or IPv6 /48 (default: 512). */
  readonly perNetwork?: number | undefined
  /** Limits that several scans share. If `budget` is set, the scan ignores `rate`, `perHost` and `perNetwork`. */
  readonly budget?: ScanBudget | undefined
  /** Ranges of addresses that the scan does not query: a single range, for example `10.0.0.0/8`, or several ranges. */
  readonly exclude?: Iterable<string | IpRanges.IpRange> | undefined
  /** Number of sockets per address family (default: enough sockets to prevent overflows of the receive queues, at most 16). */
  readonly sockets?: number | undefined
  /**
   * Whether the scan may process several IPv4 datagrams with one system call (default: `true`). Such calls require Linux with glibc on
   * x64, and one of these runtimes: Bun, Deno with `--allow-ffi`, or Node 26 with `--experimental-ffi`. On other systems and runtimes, this
   * option has no effect.
   */
  readonly batching?: boolean | undefined
  /**
   * Whether the source can return a target again after the target got a result, for example in an endless loop (default: `false`). If
   * `true`, the scan resolves a host name each time that the source returns the name.
   */
  readonly recurring?: boolean | undefined
  /**
   * Maximum time, in ms, that a result waits for further results of the same batch (default: 5). A higher value reduces the CPU time of the
   * scan.
   */
  readonly batchMs?: number | undefined
  /** Called for each target that gets no result because an earlier target has the same address and port. */
  readonly onDuplicate?: ((target: AddressInput) => void) | undefined
  /** Counts that the scan updates while it runs. */
  readonly progress?: ScanProgress | undefined
  /**
   * Ends the scan when the signal is aborted. The scan then reads no further targets, sends nothing more, and returns the results that it
   * already has. Targets in flight get no result.
   */
  readonly stop?: AbortSignal | undefined
  /** Source of the random numbers for jitter, in [0, 1) (default: `Math.random`). */
  readonly random?: (() => number) | undefined
}

/** The options of a scan with all defaults, and the functions and objects that the scan needs. */
export interface ScanPlan extends Pick<ScanOptions, "family" | "onDuplicate" | "sockets"> {
  readonly timeouts: ScanTimeouts
  readonly concurrency: number
  readonly budget: ScanBudget
  readonly excluded: RangeSet | undefined
  readonly batching: boolean
  readonly recurring: boolean
  readonly batchMs: number
  readonly progress: ScanProgress
  readonly targets: Iterable<AddressInput> | AsyncIterable<AddressInput>
  readonly query: ScanQuery
  readonly timing: Timing
  readonly open: (typeof Datagrams.Service)["open"]
  readonly lookup: HostLookup
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Runs an effect until the effect completes or the scan ends. Therefore the effect cannot keep the program running after the scan. */
  readonly forkScoped: (effect: Effect.Effect<void>) => unknown
}

type ScanSettings = Omit<ScanPlan, "targets" | "query" | "timing" | "open" | "lookup" | "fork" | "forkScoped">

const MAX_SOCKETS = 64
const BATCH_MS = 5
const MAX_BATCH_MS = 1000

const OPTIONS = /* @__PURE__ */ Object.keys({
  timeoutMs: true,
  retries: true,
  encoding: true,
  family: true,
  concurrency: true,
  rate: true,
  perHost: true,
  perNetwork: true,
  budget: true,
  exclude: true,
  sockets: true,
  batching: true,
  recurring: true,
  batchMs: true,
  onDuplicate: true,
  progress: true,
  stop: true,
  random: true
} satisfies Readonly<Record<keyof ScanOptions, true>>)

/** Validates the options and adds defaults. */
export const checkedScanOptions = (options: ScanOptions = {}): Result.Result<ScanSettings, InvalidOption> =>
  readable(() => {
    const { batching, budget, family, onDuplicate, progress, recurring, stop } = checkedOptions(OPTIONS, options)
    const exchange = Result.getOrThrow(readSettings({ ...options, retries: options.retries ?? SCAN_RETRIES }, options))
    optional("budget", "a ScanBudget", (value) => value instanceof ScanBudget, budget)
    callable("onDuplicate", onDuplicate)
    demandRandom(options.random)
    optional("progress", "a ScanProgress", (value) => value instanceof ScanProgress, progress)
    optional("stop", "an AbortSignal", isSignal, stop)
    const concurrency = whole("concurrency", 1, MAX_COUNT, options.concurrency) ?? SCAN_CONCURRENCY
    const rate = whole("rate", 1, Number.MAX_SAFE_INTEGER, options.rate)
    const perHost = whole("perHost", 1, MAX_COUNT, options.perHost)
    const perNetwork = whole("perNetwork", 1, MAX_COUNT, options.perNetwork)
    const excluded = parseRanges(options.exclude ?? [])
    return {
      timeouts: new ScanTimeouts(exchange, options.timeoutMs !== undefined),
      family,
      onDuplicate,
      progress: progress ?? new ScanProgress(),
      concurrency,
      budget: budget ?? new ScanBudget({ concurrency, rate, perHost, perNetwork }),
      excluded: excluded.length === 0 ? undefined : new RangeSet(excluded),
      sockets: whole("sockets", 1, MAX_SOCKETS, options.sockets),
      batching: flag("batching", batching) ?? true,
      recurring: flag("recurring", recurring) ?? false,
      batchMs: duration("batchMs", MAX_BATCH_MS, options.batchMs) ?? BATCH_MS
    }
  })

const RANGES = "an iterable of ranges, as in 10.0.0.0/8"

const parseRanges = (inputs: Iterable<string | IpRanges.IpRange>): ReadonlyArray<IpRanges.IpRange> => {
  // A text is also an iterable (of its characters), so a text is handled before other iterables.
  if (typeof inputs === "string") return parseRanges([inputs])
  if (!isObject(inputs) || !isFunction(inputs[Symbol.iterator])) return refuse("exclude", RANGES, inputs)
  return Array.from(inputs, (input) => {
    if (typeof input !== "string") return demand("exclude", RANGES, IpRanges.isRange, input)
    const range = IpRanges.parse(input)
    if (Result.isSuccess(range)) return range.success
    throw new InvalidOption({ message: `exclude: ${range.failure.message}`, option: "exclude" })
  })
}
