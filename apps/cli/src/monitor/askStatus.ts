/** Reads the status that `monitor status` shows. The status comes either from the API of a monitor or from the store of a fleet. */
import { Api, store as stores, storedStatus } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ProgramError, UsageError } from "../exitCode.ts"
import { readBody, fetchFrom, type Monitor, readText } from "./fetchFrom.ts"
import type { StatusSettings } from "./flags.ts"
import { chosenStore, tokenIn } from "./settings.ts"

const TIMEOUT_MS = 10_000

/** Maximum size of a status, in bytes. The status of a single instance is several kilobytes long. */
const MAX_STATUS_BYTES = 16 * 1024 * 1024

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Api.FleetStatus))

const fromMonitor = Effect.fnUntraced(function* (monitor: Monitor) {
  const response = yield* fetchFrom(monitor, "/api/fleet", TIMEOUT_MS)
  return yield* Effect.mapError(
    decode(yield* readBody(response, "the status", MAX_STATUS_BYTES)),
    () => new ProgramError("The response is not the status of a monitor. Check the URL.")
  )
})

const Health = Schema.Struct({
  targets: Schema.Int,
  /** Number of servers whose query is overdue. */
  waiting: Schema.Int,
  /** Number of slices (parts of the target list) that the instance has locked but does not query. */
  unqueriedSlices: Schema.optionalKey(Schema.Int),
  /** The reason why the store cannot be written. Absent if the store can be written. */
  store: Schema.optionalKey(Schema.String)
})
export type Health = typeof Health.Type
const decodeHealth = Schema.decodeUnknownEffect(Schema.fromJsonString(Health))

/**
 * Reads the state of the instance at the URL. The instance can report this state even if the other instances or the shared database are
 * down.
 */
export const ownHealth = Effect.fnUntraced(function* ({ store, storeFile, tokenFile, url }: StatusSettings) {
  if (store !== undefined || storeFile !== undefined) {
    return yield* new UsageError(
      "--self cannot be combined with --store or --store-file: it queries an instance. Give its URL."
    )
  }
  const response = yield* fetchFrom({ url, token: yield* tokenIn(tokenFile) }, "/health", TIMEOUT_MS)
  // If the instance has a problem, the response has the status 503, but its body still contains the state.
  const body = yield* readText(response, "the status", MAX_STATUS_BYTES)
  return yield* Effect.mapError(
    decodeHealth(body),
    () => new ProgramError("The response is not the status of a monitor. Check the URL.")
  )
})

/** Returns an effect that reads the state of the fleet, either from the API of a monitor or from a shared store. */
export const statusFor = Effect.fnUntraced(function* (settings: StatusSettings) {
  const { tokenFile, url } = settings
  const store = yield* chosenStore(settings)
  if (store !== undefined) {
    if (url.length > 0 || tokenFile !== undefined) {
      return yield* new UsageError(
        "--store cannot be combined with a URL or --token-file: the status is read either from a store or from a monitor. Give one of them."
      )
    }
    if (!stores.isShared(store)) {
      return yield* new UsageError(
        "Only a shared store (--store postgres://…) lists instances. For another store, give the URL of its monitor."
      )
    }
    return Effect.mapError(storedStatus(store), ({ message }) => new ProgramError(message))
  }
  return fromMonitor({ url, token: yield* tokenIn(tokenFile) })
})
