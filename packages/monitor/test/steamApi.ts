/**
 * Emulates the server list of Steam's Web API on loopback. Like the API, the emulation requires a key, applies filters, limits the
 * number of entries, and can reply with errors.
 */
import { MasterFilter } from "@sourcewire/core/master"
import * as Result from "effect/Result"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import type { SteamServer } from "../src/sources/steamSplit.ts"

export const KEY = "0123456789ABCDEF0123456789ABCDEF"

const parseHost = (addr: string): string => addr.slice(0, addr.lastIndexOf(":"))

const CONDITIONS: Readonly<Record<string, (server: SteamServer, value: string) => boolean>> = {
  appid: ({ appid }, value) => String(appid) === value,
  gamedir: ({ gamedir }, value) => gamedir === value,
  map: ({ map }, value) => map === value,
  version_match: ({ version }, value) => version === value,
  gameaddr: ({ addr }, value) => addr === value || parseHost(addr) === value,
  gametype: ({ gametype = "" }, value) => value.split(",").every((tag) => gametype.split(",").includes(tag)),
  secure: ({ secure }) => secure === true,
  dedicated: ({ dedicated }) => dedicated === true,
  linux: ({ os }) => os === "l",
  empty: ({ players = 0 }) => players > 0
}

/** Whether a server matches a filter. As in Steam's API, no server matches an unknown condition. */
const meetsFilter = (server: SteamServer, terms: MasterFilter.MasterFilter): boolean =>
  terms.every((term) => {
    if (!MasterFilter.isGroup(term)) {
      return CONDITIONS[term.key]?.(server, term.value) ?? false
    }
    const isMet = (one: MasterFilter.Term): boolean => meetsFilter(server, [one])
    return !(term.operator === "nor" ? term.terms.some(isMet) : term.terms.every(isMet))
  })

/** The servers that Steam returns for a filter. */
export const answerTo = (
  servers: ReadonlyArray<SteamServer>,
  filter: string,
  limit: number
): ReadonlyArray<SteamServer> => {
  const terms = Result.getOrThrow(MasterFilter.parse(filter))
  return servers.filter((server) => meetsFilter(server, terms)).slice(0, limit)
}

/** The state of an emulated API. */
export interface SteamApi {
  readonly url: string
  servers: ReadonlyArray<SteamServer>
  cap: number
  /** The filters of all requests that the emulated API received. */
  readonly asked: Array<string>
  /** The URLs and headers of all requests that the emulated API received. */
  readonly seen: Array<string>
  /**
   * Status codes of the errors that the emulated API returns for the next requests. `after` is the value of the `Retry-After` header, in
   * seconds.
   */
  readonly refusals: Array<readonly [status: number, after?: number]>
  readonly close: () => void
}

export const startSteamApi = async (servers: ReadonlyArray<SteamServer> = []): Promise<SteamApi> => {
  const http = createServer((request, response) => {
    api.seen.push(`${request.url} ${request.rawHeaders.join(" ")}`)
    const url = new URL(request.url!, "http://steam")
    const [status, after] =
      api.refusals.shift() ??
      (request.headers["x-webapi-key"] === KEY && url.searchParams.get("key") === null ? [200] : [403])
    if (status !== 200) {
      response.writeHead(status, after === undefined ? {} : { "retry-after": String(after) })
      return response.end("<html><head><title>Forbidden</title></head><body><h1>Forbidden</h1></body></html>")
    }
    const filter = url.searchParams.get("filter") ?? ""
    api.asked.push(filter)
    const limit = Math.min(api.cap, Number(url.searchParams.get("limit") ?? 100))
    const found = answerTo(api.servers, filter, limit)
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
    return response.end(
      gzipSync(JSON.stringify({ response: found.length === 0 ? {} : { servers: found } }), { level: 1 })
    )
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const api: SteamApi = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    servers,
    cap: 10_000,
    asked: [],
    seen: [],
    refusals: [],
    close: () => http.close()
  }
  return api
}

/** Creates the servers of a large game. Most servers have the same map, but they differ in operating system, tags and address. */
export const manyServers = (count: number): ReadonlyArray<SteamServer> =>
  Array.from({ length: count }, (_, i) => ({
    addr: `203.${i % 250}.${Math.floor(i / 250) % 7}.${i % 13}:${27_000 + Math.floor(i / 100)}`,
    appid: 252_490,
    gamedir: "rust",
    version: i % 10 === 0 ? "2500" : "2501",
    map: i % 3 === 0 ? `custom${i % 40}` : "Procedural Map",
    os: i % 4 === 0 ? "w" : "l",
    gametype: `mp${[50, 100, 200, 500][i % 4]},born${Math.floor(i / 300)},gmrust,${i % 9 === 0 ? "modded" : "vanilla"}`,
    secure: i % 100 !== 0,
    dedicated: true,
    players: i % 5 === 0 ? 0 : i % 60
  }))
