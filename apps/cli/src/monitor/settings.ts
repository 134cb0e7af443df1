/** What a monitor is to do, from flags and files: what it watches, who may read. */
import { type Access, MonitorConfig, type Plan, planOf, WebConfig, withPathsOf } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { mkdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { isLoopback, parseBind } from "../bind.ts"
import { UsageError, orUsageError, reading } from "../exitCode.ts"
import { type Parse, decodeConfig, readConfig } from "../files/configFile.ts"
import { readSecretFile } from "../files/secretFile.ts"
import { targetsOf } from "../query/targets.ts"
import type { ExporterSettings, MonitorSettings } from "./command.ts"

/** What a configuration file says. Paths in it are seen from the file. */
export const monitorFile =
  (file: string): Parse<Plan> =>
  (text) =>
    Result.flatMap(decodeConfig(MonitorConfig, text), (config) =>
      planOf(withPathsOf(config, (path) => resolve(dirname(file), path)))
    )

/** What is watched: by the file, or by flags, which make one group. */
export const planFor = Effect.fnUntraced(function* (settings: ExporterSettings, history: boolean) {
  const { addresses, config, file, interval, query } = settings
  if (config !== undefined) {
    if (addresses.length > 0 || [file, interval, query].some((one) => one !== undefined)) {
      return yield* new UsageError("--config says what is watched and how: nothing else may say so too.")
    }
    const plan = yield* readConfig(config, monitorFile(config))
    if (!history && plan.webhooks.length > 0) {
      return yield* new UsageError("Webhooks take history, which the exporter has not: use the monitor.")
    }
    return plan
  }
  const targets = yield* targetsOf(addresses, file)
  const group = {
    name: "default",
    targets: targets.map(({ name }) => name),
    query: query ?? (history ? ("all" as const) : ("info" as const)),
    ...(interval === undefined ? {} : { intervalMs: interval })
  }
  return yield* orUsageError(planOf({ groups: [group] }))
})

const readText = (file: string) => reading(file, () => readFile(file, "utf8"))

export const tokenIn = (file: string | undefined) =>
  file === undefined
    ? Effect.undefined
    : Effect.map(readSecretFile(file, "token"), (token) => Redacted.value(token).trim())

/** Where to listen and who may read. What others can reach is not for everybody. */
export const webFor = Effect.fnUntraced(function* (settings: ExporterSettings) {
  const { host, port } = yield* Effect.fromResult(parseBind(settings.bind))
  const web =
    settings.webConfig === undefined
      ? {}
      : yield* readConfig(settings.webConfig, (text) => decodeConfig(WebConfig, text))
  const token = yield* tokenIn(settings.tokenFile)
  if (token !== undefined && !/^\S{16,}$/.test(token)) {
    return yield* new UsageError("A token has at least 16 characters, and no blanks.")
  }
  const access: Access = { token, users: web.basic_auth_users }
  const isGuarded = token !== undefined || Object.keys(access.users ?? {}).length > 0
  if (!isLoopback(host) && !isGuarded) {
    return yield* new UsageError(
      `Others can reach ${host}: say who may read, with --token-file, or with basic_auth_users in --web-config.`
    )
  }
  const { tls_server_config: tls } = web
  if (tls === undefined) return { host, port, access, tls }
  // Paths are seen from the file, as exporter-toolkit has it.
  const beside = (file: string): string => resolve(dirname(settings.webConfig!), file)
  const cert = yield* readText(beside(tls.cert_file))
  const key = yield* readText(beside(tls.key_file))
  return { host, port, access, tls: { cert, key } }
})

/** A file of the user's own, where other programs on this system keep what is of its kind. */
const ownFile = (variable: string, usual: ReadonlyArray<string>, name: string): string => {
  const directory = join(process.env[variable] ?? join(homedir(), ...usual), "sourcewire")
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return join(directory, name)
}

/** Where history is kept, as the flags say. A URL has a password in it, which the list of processes shows. */
export const storeOf = Effect.fnUntraced(function* ({
  store,
  storeFile
}: Pick<MonitorSettings, "store" | "storeFile">) {
  if (storeFile === undefined) return store
  if (store !== undefined) return yield* new UsageError("The store is in a flag and in a file: one will do.")
  return Redacted.value(yield* readSecretFile(storeFile, "store"))
})

export const ownStore = (): string => ownFile("XDG_STATE_HOME", [".local", "state"], "monitor.db")

export const ownConfig = (): string => ownFile("XDG_CONFIG_HOME", [".config"], "monitor.json")
