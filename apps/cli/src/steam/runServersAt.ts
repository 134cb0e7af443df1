/** Runs `sourcewire servers-at`: lists the servers at an address that are registered with Steam (`ISteamApps/GetServersAtAddress`). */
import { formatAddress, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Reported, UsageError, recordFailure } from "../exitCode.ts"
import type { Settings } from "../options.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { printFailure } from "../view/failureLine.ts"
import { requestSteam } from "./api.ts"
import type { flags } from "./flags.ts"

const PATH = "/ISteamApps/GetServersAtAddress/v1/"

/** A server in the list that Steam returned. */
interface Listed {
  readonly address: string
  readonly appId?: number
  readonly folder?: string
  readonly steamId?: string
  readonly gamePort?: number
  readonly secure?: boolean
  readonly lan?: boolean
}

const typed = (value: unknown, type: "string" | "number" | "boolean") => (typeof value === type ? value : undefined)

const listedIn = (value: unknown): ReadonlyArray<Listed> => {
  if (typeof value !== "object" || value === null) return []
  const { addr, appid, gamedir, gameport, lan, secure, steamid } = value as Readonly<Record<string, unknown>>
  if (typeof addr !== "string") return []
  const fields = {
    appId: typed(appid, "number"),
    folder: typed(gamedir, "string"),
    steamId: typed(steamid, "string"),
    gamePort: typed(gameport, "number"),
    secure: typed(secure, "boolean"),
    lan: typed(lan, "boolean")
  }
  return [{ address: addr, ...Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined)) }]
}

const shown = (value: number | string | undefined): string => safe(String(value ?? ""))

const COLUMNS: ReadonlyArray<Column<Listed>> = [
  left("Address", ({ address }) => shown(address)),
  right("App", ({ appId }) => shown(appId)),
  left("Folder", ({ folder }) => shown(folder)),
  right("Game port", ({ gamePort }) => shown(gamePort)),
  left("SteamID", ({ steamId }) => shown(steamId))
]

/** Placeholder for the port if the user entered an address without a port. */
const NONE = 0

const parseSteamAddress = Effect.fnUntraced(function* (text: string) {
  const parsed = parseAddress(text, NONE)
  const { host = "", port = NONE } = Result.isSuccess(parsed) ? parsed.success : {}
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    return yield* new UsageError(
      `"${text}" is not a numeric IPv4 address. Steam accepts no host names: use an address such as 192.0.2.7.`
    )
  }
  return port === NONE ? host : formatAddress({ host, port })
})

export const runServersAt = Effect.fnUntraced(function* ({ addresses, json, timeout }: Settings<typeof flags>) {
  const { notes, out } = yield* Output
  if (addresses.length === 0) return yield* new UsageError("No address given. Give at least one IPv4 address.")
  const hosts = yield* Effect.forEach(addresses, parseSteamAddress)
  let failed = 0
  for (const host of hosts) {
    const result = yield* Effect.result(requestSteam(PATH, { addr: host }, timeout))
    if (Result.isFailure(result)) {
      failed += recordFailure()
      yield* printFailure(host, result.failure, json, "")
      continue
    }
    const { servers } = result.success
    const listed = Array.isArray(servers) ? servers.flatMap(listedIn) : []
    if (json) {
      for (const { address, ...rest } of listed) yield* out.line(jsonLine({ address, ok: true, ...rest }))
    } else if (listed.length > 0) yield* out.line(...table(COLUMNS, listed, out, ""))
    if (listed.length === 0) yield* notes.line(`No server at ${host} is registered with Steam.`)
  }
  if (failed > 0) return yield* new Reported()
})
