/**
 * Requests all servers that match a filter from Steam's Web API, which truncates long results. If a result is truncated, a condition
 * divides the requested servers into two parts: the servers that meet the condition, and the servers that do not. Each part is then
 * requested separately. Together, the two parts always contain all requested servers. If the result of a part is truncated, this part is
 * divided in the same way. The condition is chosen so that it divides the servers of the truncated result evenly.
 */
import { MasterFilter } from "@sourcewire/core/master"
import { SteamCounts } from "@sourcewire/verdict"
import * as Effect from "effect/Effect"

/** The fields that this module uses from Steam's entry for a server. */
export interface SteamServer {
  readonly addr: string
  readonly appid?: number | undefined
  readonly gamedir?: string | undefined
  readonly version?: string | undefined
  readonly map?: string | undefined
  readonly os?: string | undefined
  readonly gametype?: string | undefined
  readonly secure?: boolean | undefined
  readonly dedicated?: boolean | undefined
  readonly players?: number | undefined
  readonly bots?: number | undefined
}

/**
 * Maximum number of servers in one reply of Steam. If a request contains a higher limit, Steam still sends at most this number of servers.
 */
export const CAP = 10_000

/**
 * If the number of servers in a result is a multiple of this number, the result is also treated as truncated, because Steam may have
 * reduced its limit.
 */
const ROUND = 1000

/** Whether a result may be truncated. */
const isCut = (count: number): boolean => count >= CAP || (count > 0 && count % ROUND === 0)

/** Maximum number of requests for one list. */
const MAX_QUERIES = 200

/** A condition that divides servers into two parts. `meets` tests whether a server meets the condition. */
interface Divider extends MasterFilter.Condition {
  readonly meets: (server: SteamServer) => boolean
  /** Whether the result of `meets` for a server often changes between two requests, for example because the server changes its map. */
  readonly isVolatile: boolean
}

const formatCondition = ({ key, value }: MasterFilter.Condition): string => `${key}\\${value}`

/** Characters that have a special meaning in the values of a filter. For example, a backslash ends a value, and `*` matches any text. */
const SPECIAL = /[\\*,\0]/

const splitTags = ({ gametype = "" }: SteamServer): ReadonlyArray<string> => gametype.split(",")
const parseHost = ({ addr }: SteamServer): string => addr.slice(0, addr.lastIndexOf(":"))

const listDividers = (server: SteamServer): ReadonlyArray<Divider> => {
  const by = (
    key: string,
    value: string | number | undefined,
    meets: Divider["meets"],
    isVolatile = false
  ): ReadonlyArray<Divider> => {
    const text = String(value ?? "")
    return text === "" || SPECIAL.test(text) ? [] : [{ key, value: text, meets, isVolatile }]
  }
  return [
    ...by("secure", 1, ({ secure }) => secure === true),
    ...by("linux", 1, ({ os }) => os === "l"),
    ...by("dedicated", 1, ({ dedicated }) => dedicated === true),
    ...by("appid", server.appid, ({ appid }) => appid === server.appid),
    ...by("gamedir", server.gamedir, ({ gamedir }) => gamedir === server.gamedir),
    ...by("version_match", server.version, ({ version }) => version === server.version),
    ...splitTags(server).flatMap((tag) => by("gametype", tag, (other) => splitTags(other).includes(tag))),
    ...by("gameaddr", parseHost(server), (other) => parseHost(other) === parseHost(server)),
    ...by("map", server.map, ({ map }) => map === server.map, true),
    ...by("empty", 1, ({ players = 0 }) => players > 0, true)
  ]
}

/** To find the condition that divides a result most evenly, this number of servers of the result is examined. */
const SAMPLE = 500
/**
 * The positions of the examined servers are multiples of this number. If a position is beyond the end of the result, counting continues at
 * the start of the result. The number is a large prime, so that a pattern in the order of Steam's list does not affect which servers are
 * examined.
 */
const STEP = 7919

/** Finds the condition that divides a result most evenly. The conditions in `tried` are excluded. */
const bestDivider = (servers: ReadonlyArray<SteamServer>, tried: ReadonlySet<string>): Divider | undefined => {
  const sample = Array.from({ length: SAMPLE }, (_, i) => servers[(i * STEP) % servers.length]!)
  const counts = new Map<string, { readonly divider: Divider; count: number }>()
  for (const server of sample) {
    for (const divider of listDividers(server)) {
      const key = formatCondition(divider)
      if (tried.has(key)) continue
      const known = counts.get(key) ?? { divider, count: 0 }
      if (divider.meets(server)) known.count++
      counts.set(key, known)
    }
  }
  let best: { readonly divider: Divider; readonly value: number } | undefined
  for (const { count, divider } of counts.values()) {
    const half = Math.min(count, sample.length - count)
    const value = divider.isVolatile ? half / 4 : half
    if (half > 0 && value > (best?.value ?? 0)) best = { divider, value }
  }
  return best?.divider
}

/**
 * A part of the servers that match the filter of the caller. Each server of the part meets every condition in `met` and no condition in
 * `unmet`.
 */
interface Part {
  readonly met: ReadonlyArray<MasterFilter.Condition>
  readonly unmet: ReadonlyArray<MasterFilter.Condition>
}

/**
 * Formats the filter of a part. The filter contains a single `nor` group, which contains the conditions in `unmet` and the terms of all
 * `nor` groups in `base`.
 */
const formatFilter = (base: MasterFilter.MasterFilter, { met, unmet }: Part): string => {
  const isExclusion = (term: MasterFilter.Term): term is MasterFilter.Group =>
    MasterFilter.isGroup(term) && term.operator === "nor"
  const excluded = [...base.flatMap((term) => (isExclusion(term) ? term.terms : [])), ...unmet]
  const formatTerm = (term: MasterFilter.Term): string =>
    MasterFilter.isGroup(term)
      ? `\\${term.operator}\\${term.terms.length}${term.terms.map(formatTerm).join("")}`
      : `\\${formatCondition(term)}`
  const group = excluded.length === 0 ? [] : [{ operator: "nor" as const, terms: excluded }]
  return [...base.filter((term) => !isExclusion(term)), ...met, ...group].map(formatTerm).join("")
}

/**
 * After the servers of a truncated result are divided into parts, each of these servers should be in the result of one part. If the result
 * of a part lacks more than a tenth of the servers that should be in this part, the list is reported as incomplete.
 */
const LOST_SHARE = 10

/**
 * Requests all servers that match the filter `base`. Sends at most `maxQueries` requests. Returns the addresses of the servers, the player
 * counts that Steam reports, and the reason why the list may be incomplete (`undefined` if it is complete).
 */
export const listAll = <E, R>(
  base: MasterFilter.MasterFilter,
  ask: (filter: string) => Effect.Effect<ReadonlyArray<SteamServer>, E, R>,
  maxQueries = MAX_QUERIES
) =>
  Effect.gen(function* () {
    const addresses = new Set<string>()
    const counts = new SteamCounts()
    let queries = 0
    let partial: string | undefined
    const parts: Array<Part & { readonly expected: ReadonlyArray<SteamServer> }> = [
      { met: [], unmet: [], expected: [] }
    ]
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      if (queries >= maxQueries) {
        partial = `it would require more than ${maxQueries} requests`
        break
      }
      const { expected, met, unmet } = part
      const filter = formatFilter(base, part)
      queries++
      const servers = yield* ask(filter)
      const came = new Set(servers.map(({ addr }) => addr))
      for (const address of came) addresses.add(address)
      for (const server of servers) counts.add(server)
      if (!isCut(servers.length)) {
        const lost = expected.filter(({ addr }) => !came.has(addr)).length
        if (lost * LOST_SHARE > expected.length)
          partial = `${lost} servers of an earlier reply are missing in ${filter}`
        continue
      }
      const divider = bestDivider(servers, new Set([...met, ...unmet].map(formatCondition)))
      if (divider === undefined) {
        partial = `no condition divides the ${servers.length} servers of ${filter}`
        continue
      }
      const { key, value } = divider
      const [yes, no] = [servers.filter(divider.meets), servers.filter((server) => !divider.meets(server))]
      parts.push({ met, unmet: [...unmet, { key, value }], expected: no })
      parts.push({ met: [...met, { key, value }], unmet, expected: yes })
    }
    return { addresses, counts, partial }
  })
