/** What a scan may choose, and the check that it makes sense. */
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

/** Where to ask: one address, or any number from an array, a generator, an endless source. Nothing is read ahead of need. */
export type PlainTargets = AddressInput | Iterable<AddressInput> | AsyncIterable<AddressInput>

/**
 * The options of a scan.
 *
 * - `timeoutMs`: if given, a reply within this time counts, however slow the server is. A target that has not replied to any of the
 *   transmissions lets the next one begin meanwhile, so that dead targets do not slow the scan. If not given, the time follows the
 *   round-trip times of this scan: 1000 to 3000 ms.
 * - `retries`: how often a request is sent again after silence (default: 4).
 */
export interface ScanOptions extends QueryOptions {
  /** Most targets in flight; 1000 unless given. Fewer are when datagrams get lost. */
  readonly concurrency?: number | undefined
  /** Most datagrams per second; unlimited unless given. Retransmissions and answers to challenges count. */
  readonly rate?: number | undefined
  /** Most targets in flight at one address (different ports); 64 unless given. */
  readonly perHost?: number | undefined
  /** Most targets in flight in one IPv4 /24 or IPv6 /48; 512 unless given. */
  readonly perNetwork?: number | undefined
  /** Shared with other scans; in place of `rate`, `perHost` and `perNetwork`. */
  readonly budget?: ScanBudget | undefined
  /** Ranges, as in `10.0.0.0/8`, or a single one, to which nothing is sent. */
  readonly exclude?: Iterable<string | IpRanges.IpRange> | undefined
  /** Sockets per address family; as many as the system's receive queues make necessary unless given. */
  readonly sockets?: number | undefined
  /**
   * Whether several datagrams may share a system call; `true` unless given. It is done on Linux with glibc and x64: on Bun, on Deno with
   * `--allow-ffi`, on Node 26 with `--experimental-ffi`.
   */
  readonly batching?: boolean | undefined
  /**
   * Whether a target may come again once it has its result, as from a source that goes round and round; `false` unless given. Then names
   * are looked up each time.
   */
  readonly recurring?: boolean | undefined
  /** How long, in ms, a result may wait for others that are given with it; 5 unless given. More costs less of the processor. */
  readonly batchMs?: number | undefined
  /** Hears of each target that has no result of its own, since an earlier one is the same address and port. */
  readonly onDuplicate?: ((target: AddressInput) => void) | undefined
  /** Kept up to date while the scan runs. */
  readonly progress?: ScanProgress | undefined
  /**
   * Ends the scan in good order: nothing more is read or sent, and the results that are there are given before the end. Targets in
   * flight have none.
   */
  readonly stop?: AbortSignal | undefined
  /** Source of jitter in [0, 1); `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}

/** What a scan is made of: its options with all defaults filled in, and what it needs of its surroundings. */
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
  /** Runs an effect that is interrupted when the scan ends: it must not keep the program waiting. */
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

/** Checks the options. */
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
  // A text is an iterable too, of characters.
  if (typeof inputs === "string") return parseRanges([inputs])
  if (!isObject(inputs) || !isFunction(inputs[Symbol.iterator])) return refuse("exclude", RANGES, inputs)
  return Array.from(inputs, (input) => {
    if (typeof input !== "string") return demand("exclude", RANGES, IpRanges.isRange, input)
    const range = IpRanges.parse(input)
    if (Result.isSuccess(range)) return range.success
    throw new InvalidOption({ message: `exclude: ${range.failure.message}`, option: "exclude" })
  })
}
