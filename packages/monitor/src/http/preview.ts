/** Queries servers that a user wants to add to the monitor's own list. The dashboard shows which of these servers reply. */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { scanBatches } from "@sourcewire/core/scan"
import { displayText } from "@sourcewire/core/text"
import { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { makeGroup } from "../config/Config.ts"
import { targetIn } from "../config/target.ts"
import { Monitor } from "../watch/Monitor.ts"
import { observe } from "../watch/observe.ts"
import { unknown, Watched } from "../watch/Watched.ts"
import type { Previewed } from "./Api.ts"
import { toTargetRow } from "./views.ts"

const MAX_PREVIEWS = 2

const GROUP = makeGroup({ timeoutMs: 2000, retries: 1, downAfter: 1 }, "preview", {})

/** If `ports` is empty, creates one target with the address `address`. Otherwise, creates a target on `host` for each port. */
const makeCandidates = (address: string, host: string, ports: ReadonlyArray<number>): ReadonlyArray<Watched> =>
  (ports.length === 0 ? [address] : ports.map((port) => formatAddress({ host, port }))).flatMap((text) => {
    const where = parseAddress(text)
    return Result.isFailure(where) ? [] : [new Watched(0, text, where.success, GROUP, unknown())]
  })

export const makePreview = Effect.gen(function* () {
  const monitor = yield* Monitor
  const datagrams = yield* Datagrams
  const places = yield* Semaphore.make(MAX_PREVIEWS)

  const preview = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
    const entries = texts.map((text) => {
      const target = targetIn(text.trim())
      if (Result.isFailure(target)) return { text, message: target.failure.message, candidates: [] }
      const { address, host, ports } = target.success
      return { text, address, candidates: makeCandidates(address, host, ports) }
    })
    const targets = entries.flatMap(({ candidates }) => candidates)
    const now = yield* Clock.currentTimeMillis
    const { retries, timeoutMs } = GROUP.querySettings
    yield* scanBatches(Stream.fromIterable(targets), "info", { retries, timeoutMs, budget: monitor.budget }).pipe(
      Stream.runForEach((batch) =>
        Effect.sync(() => {
          for (const result of batch) observe(result.target as Watched, result, now)
        })
      ),
      Effect.provideService(Datagrams, datagrams),
      Effect.orDie
    )
    return entries.map(({ address, candidates, message, text }): Previewed => {
      if (address === undefined) return { text, isKnown: false, message: displayText(message) }
      const target = candidates.find(({ known }) => known.last !== undefined) ?? candidates[0]
      const row = target === undefined ? undefined : toTargetRow(target, undefined)
      const { error, map, maxPlayers, name, players, rttMs } = row ?? {}
      const shown = { name, map, players, maxPlayers, rttMs, message: error?.message }
      const given = Object.entries(shown).filter(([, value]) => value !== undefined)
      return { text, address, isKnown: monitor.find(address) !== undefined, ...Object.fromEntries(given) }
    })
  })
  return (texts: ReadonlyArray<string>) => places.withPermits(1)(preview(texts))
})
