/** Where `monitor status` learns how a fleet does: from a monitor's API, or from the store. */
import { Api, store as stores, storedStatus } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ProgramError, UsageError } from "../exitCode.ts"
import type { StatusSettings } from "./command.ts"
import { storeOf, tokenIn } from "./settings.ts"

const USUAL = "http://127.0.0.1:9155"
const TIMEOUT_MS = 10_000

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Api.FleetStatus))

/** What a request that came to nothing says, without the words of the runtime around it. */
const whyNot = (cause: unknown): string => {
  const { cause: inner, message } = cause as Error
  return inner instanceof Error && inner.message !== "" ? inner.message : message
}

const fromMonitor = (text: string, token: string | undefined) =>
  Effect.gen(function* () {
    const url = `${text.replace(/\/+$/, "")}/api/fleet`
    if (!/^https?:/.test(url) || !URL.canParse(url)) {
      return yield* new UsageError(`"${text}" is no place of a monitor, such as ${USUAL}.`)
    }
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { body, status } = yield* Effect.tryPromise({
      try: async () => {
        const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
        return { status: response.status, body: await response.text() }
      },
      catch: (cause) => new ProgramError(`The monitor at ${text} cannot be asked: ${whyNot(cause)}.`)
    })
    if (status === 401) return yield* new ProgramError(`The monitor at ${text} wants a token: --token-file.`)
    return yield* Effect.mapError(
      decode(body),
      () => new ProgramError(`What is at ${text} is no monitor that tells how it does (${status}).`)
    )
  })

/** What tells how the fleet does, each time anew. */
export const statusFor = Effect.fnUntraced(function* (settings: StatusSettings) {
  const { tokenFile, url } = settings
  const store = yield* storeOf(settings)
  if (store !== undefined) {
    if (url.length > 0 || tokenFile !== undefined) {
      return yield* new UsageError("With a store no monitor is asked: it takes no URL and no token.")
    }
    if (!stores.isShared(store)) {
      return yield* new UsageError("Only a store that machines share knows them: --store postgres://…")
    }
    return Effect.mapError(storedStatus(store), ({ message }) => new ProgramError(message))
  }
  if (url.length > 1) return yield* new UsageError("One monitor knows all: ask one at a time.")
  return fromMonitor(url[0] ?? USUAL, yield* tokenIn(tokenFile))
})
