/**
 * Queries or watches one server, or scans a list. The caller provides the network: the real network of the bridge, or the page's network in
 * memory. Each INFO reply has the summary of its server.
 */
import { type Address, type AddressInput, Client, type ClientOptions, formatAddress } from "@sourcewire/core"
import type { ClientShape } from "@sourcewire/core/query"
import { scanBatches } from "@sourcewire/core/scan"
import type { Datagrams } from "@sourcewire/core/transport"
import { profiles } from "@sourcewire/emulator"
import { faultSwitches, profileNames } from "@sourcewire/emulator/machines"
import { summary } from "@sourcewire/games"
import { toHex } from "@sourcewire/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Answer, AskEvent, Failure, Kind, ListResult, Sample } from "../bridge/Api.ts"
import { COMPRESS } from "./emulated.ts"

/** Targets of a list in flight at a time, and datagrams per second. */
const LIST_CONCURRENCY = 200
const LIST_RATE = 4000

/** The shortest interval of a watch. */
const MIN_WATCH_MS = 500

/** Maximum number of datagrams of one query that are reported, and of their bytes. Only a server that floods clients sends more. */
const MAX_REPORTED = 4096
const MAX_REPORTED_BYTES = 1024 * 1024

/** The profiles and faults for emulated servers. They are a part of every status. */
export const OFFERED = {
  profiles: profileNames.map((name) => ({ name, description: profiles[name]().description })),
  faults: [COMPRESS, ...faultSwitches]
}

export interface AskOptions {
  readonly timeoutMs?: number
  readonly retries?: number
}

/** Options of the client. The page sets `random` to a generator with a seed. */
type Settings = Pick<ClientOptions, "random">

/** The datagrams of a query as they are sent and received, then the result. */
export const ask = (
  target: Address,
  kind: Kind,
  options: AskOptions,
  network: Layer.Layer<Datagrams>,
  settings: Settings = {}
): Stream.Stream<AskEvent> =>
  Stream.callback<AskEvent>(
    Effect.fnUntraced(function* (queue) {
      let began: number | undefined
      let reported = 0
      let reportedBytes = 0
      const layer = Client.layer({
        ...settings,
        onDatagram: (direction, bytes, { address, port }, timeMs) => {
          began ??= timeMs
          if (reported >= MAX_REPORTED || reportedBytes + bytes.length > MAX_REPORTED_BYTES) return
          reported++
          reportedBytes += bytes.length
          const remote = formatAddress({ host: address, port })
          Queue.offerUnsafe(queue, { _tag: "Datagram", direction, hex: toHex(bytes), remote, timeMs: timeMs - began })
        }
      })
      const client = Context.get(yield* Layer.build(Layer.provide(layer, network)).pipe(Effect.orDie), Client)
      const result = yield* Effect.result(queryServer(client, target, kind, options))
      const last: AskEvent = Result.isSuccess(result)
        ? { _tag: "Answered", answer: result.success }
        : { _tag: "Failed", error: result.failure }
      yield* Queue.offer(queue, last)
      yield* Queue.end(queue)
    }),
    { bufferSize: MAX_REPORTED + 1 }
  )

const queryServer = Effect.fnUntraced(function* (
  client: ClientShape,
  target: Address,
  kind: Kind,
  options: AskOptions
) {
  if (kind === "ping") return (yield* client.ping(target, options)) satisfies Answer
  if (kind === "query") {
    const answer = yield* client.query(target, options)
    return { ...answer, summary: summary(target, answer) } satisfies Answer
  }
  if (kind === "info") {
    const answer = yield* client.queryKind(kind, target, options)
    return { ...answer, info: answer.value, summary: summary(target, { info: answer.value }) } satisfies Answer
  }
  const answer = yield* client.queryKind(kind, target, options)
  return { ...answer, [kind]: answer.value } satisfies Answer
})

/** Counts the requests since the last call whose bytes were sent before. */
const retransmissionCounter = () => {
  let sent: Array<string> = []
  return {
    add: (bytes: Uint8Array): void => void (sent.length < MAX_REPORTED && sent.push(toHex(bytes))),
    take: (): number => {
      const again = sent.length - new Set(sent).size
      sent = []
      return again
    }
  }
}

/** INFO of one server at an interval, without an end. */
export const watch = (
  target: Address,
  intervalMs: number,
  network: Layer.Layer<Datagrams>,
  settings: Settings = {}
): Stream.Stream<Sample> => {
  const counter = retransmissionCounter()
  const client = Client.layer({
    ...settings,
    onDatagram: (direction, bytes) => void (direction === "sent" && counter.add(bytes))
  })
  return Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* Client
      const began = performance.now()
      const look = Effect.result(client.queryKind("info", target)).pipe(
        Effect.map((result): Sample => {
          const again = counter.take()
          const sample = { timeMs: performance.now() - began, ...(again === 0 ? {} : { retransmissions: again }) }
          if (Result.isFailure(result)) return { ...sample, error: result.failure }
          const { value: info, ...answer } = result.success
          return { ...sample, ...answer, info, summary: summary(target, { info }) }
        })
      )
      return Stream.fromEffectSchedule(look, Schedule.fixed(Math.max(MIN_WATCH_MS, intervalMs)))
    })
  ).pipe(Stream.provide(Layer.orDie(Layer.provide(client, network))))
}

/** Scans a list. `check` returns the target of an address, or why it is not queried. */
export const list = <R>(
  addresses: ReadonlyArray<string>,
  check: (address: string) => Effect.Effect<AddressInput, Failure, R>
): Stream.Stream<ReadonlyArray<ListResult>, never, R | Datagrams> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const options = { concurrency: LIST_CONCURRENCY, rate: LIST_RATE }
      const names = new Map<AddressInput, string>()
      const checked = (address: string) =>
        check(address).pipe(
          Effect.tap((target) => Effect.sync(() => names.set(target, address))),
          Effect.mapError((error): ListResult => ({ target: address, error }))
        )
      const [targets, refused] = yield* Effect.partition(addresses, checked, { concurrency: 16 })
      const scanned = Stream.map(scanBatches(targets, "info", options), (batch) =>
        batch.map((result): ListResult => {
          const listed = { ...result, target: names.get(result.target)! }
          return result._tag === "Answered" ? { ...listed, summary: summary(result.target, result) } : listed
        })
      )
      return refused.length === 0 ? scanned : Stream.concat(Stream.make(refused), scanned)
    })
  ).pipe(Stream.orDie)
