/**
 * Deals the targets of a scan to its threads. All targets of one network go to the same, so that each limit and each duplicate is one
 * thread's own matter; for that, names are looked up here. Nothing is read while the thread that the next target belongs to is full.
 *
 * @module
 */
import * as Result from "effect/Result"
import * as Address from "../../Address.ts"
import type { AddressInput } from "../../Client.ts"
import { MAX_LOOKUPS } from "../../Limits.ts"
import type { ScanProgress } from "../../ScanProgress.ts"
import type { Failed } from "../../ScanResult.ts"
import type { Timing } from "../../Timing.ts"
import { routeKey, routeKeyOfText } from "../ip.ts"
import type { Names } from "../scan/names.ts"
import { mixNumber } from "../scan/routeTable.ts"
import { networkOf } from "../scan/shares.ts"
import { NONE, TargetSource } from "../scan/targetSource.ts"
import type { Lane } from "./lane.ts"
import type { SentTarget } from "./wire.ts"

/** How long a few targets wait for company, in ms. */
const COMPANY_MS = 1

/** What a dealer works with. */
export interface DealerParts {
  readonly timing: Timing
  readonly names: Names
  readonly lanes: ReadonlyArray<Lane>
  readonly progress: ScanProgress
  readonly targets: Iterable<AddressInput> | AsyncIterable<AddressInput>
  /** Whether results may be added. */
  readonly hasRoom: () => boolean
  /** A target that no thread has to see. */
  readonly onFailed: (result: Failed) => void
  /** The source of the targets has failed, and is at its end. */
  readonly onSourceError: (cause: unknown) => void
}

/** See the module. */
export class Dealer {
  private readonly parts: DealerParts
  private readonly source: TargetSource
  /** Targets whose thread was full when they came up; a few. */
  private waiting: Array<readonly [lane: Lane, target: SentTarget]> = []
  private readonly originals = new Map<number, AddressInput>()
  private nextId = 0
  /** Targets whose host name is being looked up. */
  private lookups = 0
  private isEnded = false
  private isPumping = false
  private cancelFlush: (() => void) | undefined = undefined

  constructor(parts: DealerParts) {
    this.parts = parts
    this.source = new TargetSource(parts.targets, () => this.pump(), parts.onSourceError)
  }

  /** Deals as much as is wanted. To be called whenever a thread has room again or the reader has taken results. */
  pump(): void {
    if (this.isPumping || this.isEnded) return
    this.isPumping = true
    const { lanes, timing } = this.parts
    this.waiting = this.waiting.filter(([lane, target]) => !this.tryDeal(lane, target))
    let more = true
    while (more && this.mayRead()) more = this.readOne()
    this.isPumping = false
    if (this.source.isOver && this.waiting.length + this.lookups === 0) {
      this.isEnded = true
      for (const lane of lanes) lane.end()
    }
    if (this.cancelFlush !== undefined || !lanes.some((lane) => lane.isLoaded)) return
    this.cancelFlush = timing.schedule(COMPANY_MS, () => {
      this.cancelFlush = undefined
      for (const lane of lanes) lane.flush()
    })
  }

  /** The target that went out under this text or number, which is not asked for again. */
  original(sent: string | number): AddressInput {
    if (typeof sent === "string") return sent
    const target = this.originals.get(sent)!
    this.originals.delete(sent)
    return target
  }

  /** No more are wanted. */
  close(): void {
    this.isEnded = true
    this.cancelFlush?.()
    this.source.close()
  }

  private mayRead(): boolean {
    return this.waiting.length === 0 && this.lookups < MAX_LOOKUPS && this.parts.hasRoom()
  }

  /** Reads a target; `false` when there is none now. */
  private readOne(): boolean {
    const target = this.source.next()
    if (target === NONE) return false
    this.parts.progress.read++
    const key = typeof target === "string" ? routeKeyOfText(target, Address.DEFAULT_PORT) : -1
    if (key === -1) this.parse(target)
    else this.deal(key, target as string)
    return true
  }

  private parse(target: AddressInput): void {
    const { names, onFailed } = this.parts
    const parsed = Address.from(target)
    if (Result.isFailure(parsed)) {
      onFailed({ _tag: "Failed", target, error: parsed.failure, sent: 0, received: 0 })
      return
    }
    const { family, host, port } = parsed.success
    if (family !== undefined) {
      this.dealNumbered(target, host, port)
      return
    }
    this.lookups++
    names.of(host, (lookup) => {
      this.lookups--
      if ("_tag" in lookup) onFailed({ _tag: "Failed", target, port, error: lookup, sent: 0, received: 0 })
      else this.dealNumbered(target, lookup.address, port)
      this.pump()
    })
  }

  private dealNumbered(target: AddressInput, host: string, port: number): void {
    const id = this.nextId++
    this.originals.set(id, target)
    this.deal(routeKey(host, port), { id, host, port })
  }

  private deal(key: number | string, target: SentTarget): void {
    const { lanes } = this.parts
    const lane = lanes[(mixNumber(networkOf(key)) >>> 0) % lanes.length]!
    if (!this.tryDeal(lane, target)) this.waiting.push([lane, target])
  }

  private tryDeal(lane: Lane, target: SentTarget): boolean {
    if (lane.isFull) return false
    lane.add(target)
    return true
  }
}
