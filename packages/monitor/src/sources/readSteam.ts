/**
 * Reads lists of servers from Steam's Web API (`IGameServersService/GetServerList`). The key is sent in a header, so that no URL contains
 * the key.
 */
import { MasterFilter } from "@sourcewire/core/master"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { readFile } from "node:fs/promises"
import { request } from "../outbound/request.ts"
import type { Reading } from "./FoundList.ts"
import { readElements, fieldsIn, readFields } from "./jsonElements.ts"
import { parseList } from "./readList.ts"
import type { Source } from "./Source.ts"
import { listAll, type SteamServer } from "./steamSplit.ts"

const PATH = "/IGameServersService/GetServerList/v1/"

/** The value of `limit` in requests. Steam never sends so many servers in one reply, so only Steam's own limit truncates a reply. */
const LIMIT = 50_000
/** Maximum size of a reply. A reply with 10,000 servers has about 5 MB. */
const MAX_BYTES = 32 * 1024 * 1024

/** Pause between two requests for the same list. */
const PAUSE_MS = 500
/** Maximum number of retries of a request. */
const RETRIES = 4
const FIRST_WAIT_MS = 5000
const LONGEST_WAIT_MS = 60_000

/** Returns an effect that fails. The error is a failed reading with this message. */
const failed = (message: string, retryAfterMs?: number) =>
  Effect.fail<Reading>({ _tag: "Failed", message, retryAfterMs })

const readKey = Effect.fnUntraced(function* ({ keyFile, keyVariable }: Source) {
  const from = keyFile ?? `the environment variable ${keyVariable}`
  const text =
    keyFile === undefined
      ? (process.env[keyVariable] ?? "")
      : yield* Effect.tryPromise(() => readFile(keyFile, "utf8")).pipe(
          Effect.catch(() => failed(`${keyFile} cannot be read`))
        )
  const key = text.trim()
  if (!/^[\w-]{8,128}$/.test(key)) return yield* failed(`there is no key in ${from}`)
  return Redacted.make(key)
})

/** Maximum number of characters of a server's entry. Most entries have about 400 characters. */
const MOST_ENTRY = 16_384
/** Number of servers that are decoded between two pauses. Other work runs during a pause. */
const AT_ONCE = 500

const textOrNothing = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const numberOrNothing = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
const isTrue = (value: unknown): boolean => value === true

/** Decodes one server. Fields with an unexpected type are ignored, because Steam sends some fields as null. */
const decodeServer = (value: unknown): SteamServer | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { addr, appid, bots, dedicated, gamedir, gametype, map, os, players, secure, version } = value as Readonly<
    Record<string, unknown>
  >
  if (typeof addr !== "string") return undefined
  return {
    addr,
    appid: numberOrNothing(appid),
    gamedir: textOrNothing(gamedir),
    version: textOrNothing(version),
    map: textOrNothing(map),
    os: textOrNothing(os),
    gametype: textOrNothing(gametype),
    secure: isTrue(secure),
    dedicated: isTrue(dedicated),
    players: numberOrNothing(players),
    bots: numberOrNothing(bots)
  }
}

/** Decodes the servers of a reply one by one; `undefined` if the reply is not a list of servers. */
const serversIn = (body: string): Effect.Effect<ReadonlyArray<SteamServer> | undefined> =>
  Effect.promise(async (signal) => {
    const servers: Array<SteamServer> = []
    try {
      const response = fieldsIn(body).get("response")
      if (response?.kind !== "{") return undefined
      const list = readFields(body, response).get("servers")
      // Steam omits the list if no server matches.
      if (list === undefined) return servers
      let count = 0
      for (const { from, to } of readElements(body, list)) {
        const server = to - from > MOST_ENTRY ? undefined : decodeServer(JSON.parse(body.slice(from, to)))
        if (server === undefined || ++count > LIMIT) return undefined
        servers.push(server)
        if (count % AT_ONCE !== 0) continue
        await new Promise((resolve) => setImmediate(resolve))
        if (signal.aborted) return undefined
      }
      return servers
    } catch {
      return undefined
    }
  })

/**
 * Sends a request. If the request fails but a retry may succeed, the request is repeated after a pause. The pause is at least as long as
 * Steam requires.
 */
const requestServers = Effect.fnUntraced(function* (source: Source, key: Redacted.Redacted<string>, filter: string) {
  const query = new URLSearchParams({ filter, limit: String(LIMIT) })
  const url = new URL(`${PATH}?${query.toString()}`, source.api).href
  for (let tries = 0; ; tries++) {
    const headers = { "x-webapi-key": Redacted.value(key) }
    const outcome = yield* request({ url, headers, allowLocal: source.allowLocal, maxBytes: MAX_BYTES })
    const { body, isPassing, message, retryAfterMs, status } = outcome
    if (status === 200) {
      return (yield* serversIn(body)) ?? (yield* failed("the response is not a list of servers"))
    }
    const waitMs = Math.max(retryAfterMs, FIRST_WAIT_MS * 2 ** tries)
    if (!isPassing || tries >= RETRIES || waitMs > LONGEST_WAIT_MS) {
      const isKey = status === 401 || status === 403
      return yield* failed(`${message}${isKey ? ": Steam refused the key" : ""}`, retryAfterMs)
    }
    yield* Effect.sleep(waitMs)
  }
})

export const steamReader = (source: Source): Effect.Effect<Reading> =>
  Effect.gen(function* () {
    const key = yield* readKey(source)
    const filter = Result.getOrThrow(MasterFilter.parse(source.where))
    const list = yield* listAll(filter, (text) => Effect.delay(requestServers(source, key, text), PAUSE_MS))
    const listed = yield* Effect.catchTag(parseList(list.addresses, source.allowLocal), "BadList", ({ message }) =>
      failed(message)
    )
    return { _tag: "Listed", ...listed, counts: list.counts, partial: list.partial } as const
  }).pipe(Effect.catch(Effect.succeed))
