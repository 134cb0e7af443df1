/**
 * Runs the queries of `--verdict`. First, the survey queries INFO of every target, and PLAYER of the servers that have players. Then it
 * sends one handshake request to each of these populated servers, if the game of the server supports the handshake. After the interval, the
 * survey again queries INFO of each server that replied to the first INFO query. If the second reply reports players, the survey also
 * queries PLAYER of this server. It sends no handshake requests after the interval.
 */
import { type ScanOptions, type ScanResult, formatAddress } from "@sourcewire/core"
import type { ClientShape } from "@sourcewire/core/query"
import { scanBatches } from "@sourcewire/core/scan"
import type { Survey } from "@sourcewire/verdict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { observeHandshake } from "./handshakes.ts"
import type { SteamList } from "./steamList.ts"

/** Progress of a survey, for the line at the bottom of the terminal. */
export interface SurveyProgress {
  phase: string
  done: number
}

const HANDSHAKES_IN_FLIGHT = 128

export interface SurveyOptions extends Omit<ScanOptions, "progress"> {
  /**
   * Seconds from the end of the first INFO and PLAYER queries to the start of the second INFO queries. If the handshake requests take
   * longer than this time, the second queries start after the handshake requests.
   */
  readonly intervalSeconds: number
  /** Steam's player counts from the file of `--steam-list`. Absent without this flag. */
  readonly listed?: SteamList | undefined
}

/**
 * Stores a batch of results. The survey calls this function for each batch of results of the first INFO queries (not of the second INFO
 * queries), and waits until the batch is stored.
 * The survey lists its verdicts in the order of these results, so the caller can add each verdict to the result of the same server.
 */
type SaveResults = (results: ReadonlyArray<ScanResult>) => Effect.Effect<void>

/**
 * Runs the queries of a survey. Each reply is added to `survey` as soon as the reply arrives. Therefore, if the user interrupts the survey,
 * `survey` contains all replies that arrived before the interruption.
 */
export const runSurvey = Effect.fnUntraced(function* (
  targets: AsyncIterable<string> | Iterable<string>,
  client: ClientShape,
  { intervalSeconds, listed, ...scanOptions }: SurveyOptions,
  { save, progress, survey }: { readonly save: SaveResults; readonly progress: SurveyProgress; readonly survey: Survey }
) {
  const begin = (phase: string): void => void Object.assign(progress, { phase, done: 0 })
  const discard: SaveResults = () => Effect.void

  /**
   * Queries INFO of the servers in `from`, and PLAYER of the servers that have players. Returns the addresses of the servers that replied
   * to INFO. Also returns the addresses and app ids of the servers that have players.
   */
  const round = Effect.fnUntraced(function* (
    from: AsyncIterable<string> | Iterable<string>,
    save: SaveResults,
    suffix = ""
  ) {
    const replied: Array<string> = []
    const populated = new Map<string, number | undefined>()
    begin(`INFO${suffix}`)
    yield* Stream.runForEach(scanBatches(from, "info", scanOptions), (batch) =>
      Effect.suspend(() => {
        for (const result of batch) {
          progress.done++
          if (result._tag === "Failed") continue
          const { info, rttAmbiguous, rttMs } = result
          const address = formatAddress({ host: result.address, port: result.port })
          const rtt = rttAmbiguous === true ? undefined : { info: rttMs }
          survey.add({ address, atMs: Date.now(), info, listed: listed?.get(address), rttMs: rtt })
          replied.push(address)
          if (info.players > 0) populated.set(address, info._tag === "InfoReply" ? info.appId : undefined)
        }
        return save(batch)
      })
    )
    begin(`PLAYER${suffix}`)
    yield* Stream.runForEach(scanBatches(populated.keys(), "players", scanOptions), (batch) =>
      Effect.sync(() => {
        for (const result of batch) {
          progress.done++
          if (result._tag === "Failed") continue
          const address = formatAddress({ host: result.address, port: result.port })
          survey.add({ address, atMs: Date.now(), players: result.players })
        }
      })
    )
    return { replied, populated }
  })

  const first = yield* round(targets, save)
  const ended = yield* Clock.currentTimeMillis
  begin("Handshake")
  const handshake = ([address, appId]: readonly [string, number | undefined]) =>
    Effect.tap(observeHandshake(client, { survey, address, target: address, appId }), () =>
      Effect.sync(() => progress.done++)
    )
  yield* Effect.forEach(first.populated, handshake, { concurrency: HANDSHAKES_IN_FLIGHT, discard: true })
  begin("Waiting for the second query")
  yield* Effect.sleep(Math.max(0, ended + intervalSeconds * 1000 - (yield* Clock.currentTimeMillis)))
  yield* round(first.replied, discard, " again")
})
