/**
 * Queries one server, watches one, or scans a list. Replies come with the summary of their server. Results and errors are passed on as the
 * client returns them; fields that `Api.ts` does not describe are not sent.
 */
import { type Address, type AddressInput, Client, formatAddress, parseAddress } from "@sourcewire/core"
import { type ClientShape } from "@sourcewire/core/query"
import { scanBatches } from "@sourcewire/core/scan"
import { summary, unaskable } from "@sourcewire/games"
import { toHex } from "@sourcewire/protocol"
import { profiles } from "@sourcewire/emulator"
import { profileNames, faultSwitches } from "@sourcewire/emulator/machines"
import { layer as network } from "@sourcewire/transport-node/effect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Answer, Api, type AskEvent, type Failure, type Kind, type ListResult, type Sample } from "../Api.ts"
import { COMPRESS, EMULATED_PASSWORD } from "../emulated.ts"
import { ending } from "../ending.ts"
import { Settings } from "../Settings.ts"
import { type TargetPolicy, checkTarget, onTarget } from "../targets.ts"

/** Targets of a list in flight at a time, and datagrams a second: a list is no flood. */
const LIST_CONCURRENCY = 200
const LIST_RATE = 4000

/** Watching more often tells nothing more. */
const MIN_WATCH_MS = 500

/** Datagrams of one query that are told of, and their bytes; more come only from a server that floods. */
const MAX_TOLD = 4096
const MAX_TOLD_BYTES = 1024 * 1024

export const queriesLayer = HttpApiBuilder.group(
  Api,
  "queries",
  Effect.fnUntraced(function* (handlers) {
    const { emulate, limits, rcon, targets } = yield* Settings
    return handlers.handleAll({
      status: () =>
        Effect.succeed({
          rcon,
          ...(rcon && emulate ? { emulatedPassword: EMULATED_PASSWORD } : {}),
          emulate,
          allow: targets.allow,
          profiles: profileNames.map((name) => ({ name, description: profiles[name]().description })),
          faults: [COMPRESS, ...faultSwitches]
        }),
      ask: Effect.fnUntraced(function* ({ payload: { address, kind, ...options } }) {
        const failed = (error: Failure): AskEvent => ({ _tag: "Failed", error })
        const events = yield* onTarget(address, targets, failed, (target) => ask(target, kind, options))
        return yield* ending(events, limits.streamMs)
      }, Effect.provide(network)),
      watch: Effect.fnUntraced(function* ({ payload: { address, intervalMs } }) {
        const failed = (error: Failure): Sample => ({ timeMs: 0, error })
        const pauseMs = Math.max(MIN_WATCH_MS, intervalMs)
        const samples = yield* onTarget(address, targets, failed, (target) => watch(target, pauseMs))
        return yield* ending(samples, limits.watchMs)
      }, Effect.provide(network)),
      list: ({ payload: { addresses } }) => ending(list(addresses, targets), limits.streamMs)
    })
  })
)

interface AskOptions {
  readonly timeoutMs?: number
  readonly retries?: number
}

const ask = (target: Address, kind: Kind, options: AskOptions): Stream.Stream<AskEvent> =>
  Stream.callback<AskEvent>(
    Effect.fnUntraced(function* (queue) {
      let began: number | undefined
      let told = 0
      let toldBytes = 0
      const layer = Client.layer({
        onDatagram: (direction, bytes, { address, port }, timeMs) => {
          began ??= timeMs
          if (told >= MAX_TOLD || toldBytes + bytes.length > MAX_TOLD_BYTES) return
          told++
          toldBytes += bytes.length
          const remote = formatAddress({ host: address, port })
          Queue.offerUnsafe(queue, { _tag: "Datagram", direction, hex: toHex(bytes), remote, timeMs: timeMs - began })
        }
      })
      const client = Context.get(yield* Layer.build(Layer.provide(layer, network)).pipe(Effect.orDie), Client)
      const result = yield* Effect.result(answerOf(client, target, kind, options))
      const last: AskEvent = Result.isSuccess(result)
        ? { _tag: "Answered", answer: result.success }
        : { _tag: "Failed", error: result.failure }
      yield* Queue.offer(queue, last)
      yield* Queue.end(queue)
    }),
    { bufferSize: MAX_TOLD + 1 }
  )

const answerOf = Effect.fnUntraced(function* (client: ClientShape, target: Address, kind: Kind, options: AskOptions) {
  if (kind === "ping") return (yield* client.ping(target, options)) satisfies Answer
  if (kind === "query") {
    const answer = yield* client.query(target, options)
    return { ...answer, summary: summary(target, answer) } satisfies Answer
  }
  if (kind === "info") {
    const answer = yield* client.ask(kind, target, options)
    return { ...answer, info: answer.value, summary: summary(target, { info: answer.value }) } satisfies Answer
  }
  const answer = yield* client.ask(kind, target, options)
  return { ...answer, [kind]: answer.value } satisfies Answer
})

const watch = (target: Address, intervalMs: number): Stream.Stream<Sample> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* Client
      const began = performance.now()
      const look = Effect.result(client.ask("info", target)).pipe(
        Effect.map((result): Sample => {
          const timeMs = performance.now() - began
          if (Result.isFailure(result)) return { timeMs, error: result.failure }
          const { value: info, ...answer } = result.success
          return { timeMs, ...answer, info, summary: summary(target, { info }) }
        })
      )
      return Stream.fromEffectSchedule(look, Schedule.fixed(intervalMs))
    })
  ).pipe(Stream.provide(Layer.orDie(Layer.provide(Client.layer(), network))))

const list = (addresses: ReadonlyArray<string>, policy: TargetPolicy): Stream.Stream<ReadonlyArray<ListResult>> => {
  const found = Stream.unwrap(
    Effect.gen(function* () {
      const options = { concurrency: LIST_CONCURRENCY, rate: LIST_RATE }
      const names = new Map<AddressInput, string>()
      const check = (address: string) =>
        targetOf(address, policy).pipe(
          Effect.tap((target) => Effect.sync(() => names.set(target, address))),
          Effect.mapError((error): ListResult => ({ target: address, error }))
        )
      const [targets, refused] = yield* Effect.partition(addresses, check, { concurrency: 16 })
      const scanned = Stream.map(scanBatches(targets, "info", options), (batch) =>
        batch.map((result): ListResult => {
          const listed = { ...result, target: names.get(result.target)! }
          return result._tag === "Answered" ? { ...listed, summary: summary(result.target, result) } : listed
        })
      )
      return refused.length === 0 ? scanned : Stream.concat(Stream.make(refused), scanned)
    })
  )
  return found.pipe(Stream.orDie, Stream.provide(network))
}

/** A target of a list. Where everything may be asked, the scan looks names up itself, as fast as it asks. */
const targetOf = Effect.fnUntraced(function* (input: string, policy: TargetPolicy) {
  if (!policy.local || policy.allow.length > 0) return yield* checkTarget(input, policy)
  const address = parseAddress(input)
  const why = Result.isSuccess(address) ? unaskable(address.success.host) : undefined
  return why === undefined ? input : yield* Effect.fail(why)
})
