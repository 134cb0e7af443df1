/**
 * Handles those targets of a scan that are behind Steam's relays. These targets have FakeIPs (169.254.0.0/16), at which no server replies
 * over UDP. Therefore, after all other targets were scanned, the data of these servers is requested from Steam's Web API.
 */
import { type ScanQuery, type ScanResult, parseAddress } from "@sourcewire/core"
import { type Game, findGame, notQueryable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { UsageError } from "../exitCode.ts"
import { KEY_VARIABLE, type SteamFailed, steamKey } from "../steam/api.ts"
import { queryByFakeIp } from "../steam/fakeIp.ts"
import type { ScanSettings } from "./flags.ts"

/** Maximum number of requests in flight. */
const CONCURRENCY = 4
const TIMEOUT_MS = 5000
/** Status codes after which no further target is queried: Steam refuses the key (401, 403), or the rate limit of Steam is reached (429). */
const FINAL: ReadonlySet<number | undefined> = new Set([401, 403, 429])

const PARTS = {
  info: ["info"],
  players: ["players"],
  rules: ["rules"],
  all: ["info", "players", "rules"]
} as const satisfies Readonly<Record<ScanQuery, ReadonlyArray<"info" | "players" | "rules">>>

/** The parameters of all requests to Steam's Web API about servers behind Steam's relays. */
export interface Relayed {
  readonly game: Game
  readonly key: Redacted.Redacted<string>
}

/**
 * Returns the game that `--game` names, and the key from `--steam-key-file` or the environment. If `--game` is absent, the result is
 * `undefined`.
 */
export const findRelayed = Effect.fnUntraced(function* ({ game: id, steamKeyFile }: ScanSettings) {
  if (id === undefined) {
    return steamKeyFile === undefined
      ? undefined
      : yield* new UsageError(
          "--steam-key-file requires --game, because an address of Steam's relays is unique only within a game."
        )
  }
  const game = findGame(id)
  if (game === undefined)
    return yield* new UsageError(`There is no game "${id}". \`sourcewire games\` lists the games.`)
  const key = yield* steamKey(steamKeyFile)
  if (key !== undefined) return { game, key } satisfies Relayed
  return yield* new UsageError(
    `--game is for servers behind Steam's relays, and requires a key of Steam's Web API. Use --steam-key-file FILE, or set ${KEY_VARIABLE}.`
  )
})

/** Whether a target is behind Steam's relays. */
export const isRelayed = (target: string): boolean =>
  Result.match(parseAddress(target), {
    onSuccess: ({ host }) => notQueryable(host)?.reason === "relayed",
    onFailure: () => false
  })

/**
 * Queries Steam's Web API for each target, and calls `take` with each result. A result has the form of a {@link ScanResult}, but contains
 * no round-trip time.
 */
export const queryRelayed = (
  targets: ReadonlyArray<string>,
  { game, key }: Relayed,
  { query, timeout = TIMEOUT_MS }: Pick<ScanSettings, "query" | "timeout">,
  {
    isStopped,
    take
  }: {
    readonly isStopped: () => boolean
    readonly take: (result: ScanResult<ScanQuery>) => Effect.Effect<void>
  }
) => {
  let refusal: SteamFailed | undefined
  const one = Effect.fnUntraced(function* (target: string) {
    if (isStopped()) return
    const address = Result.getOrThrow(parseAddress(target))
    const { host, port } = address
    const described = { address, name: target, game }
    const result = yield* Effect.result(
      refusal === undefined ? queryByFakeIp(described, PARTS[query], key, timeout) : Effect.fail(refusal)
    )
    const common = { target, address: host, port }
    if (Result.isSuccess(result)) {
      const found = { ...common, _tag: "Answered", source: "steam", ...result.success }
      return yield* take(found as unknown as ScanResult<ScanQuery>)
    }
    const { _tag, message } = result.failure
    const status = _tag === "SteamFailed" ? result.failure.status : undefined
    if (_tag === "SteamFailed" && FINAL.has(status)) refusal = result.failure
    const error = { _tag, message, ...(status === undefined ? {} : { status }) }
    yield* take({ ...common, _tag: "Failed", error } as unknown as ScanResult<ScanQuery>)
  })
  return Effect.forEach(targets, one, { concurrency: CONCURRENCY, discard: true })
}
