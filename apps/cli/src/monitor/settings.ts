/**
 * Reads the settings of a monitor from flags and files. The settings are the targets of the monitor, its store, and the users who may read
 * its pages.
 */
import { type Access, MonitorConfig, type Plan, makePlan, WebConfig, mapPaths } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { mkdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { isLoopback, parseBind } from "../bind.ts"
import { ProgramError, UsageError, orUsageError, reading } from "../exitCode.ts"
import { type Parse, decodeConfig, readConfig } from "../files/configFile.ts"
import { readSecretFile } from "../files/secretFile.ts"
import { parseValidTargets } from "../query/targets.ts"
import { explainSystemError } from "../systemError.ts"
import type { ExporterSettings, MonitorSettings } from "./flags.ts"

/** Parses a configuration file. Relative paths in the file are resolved against the directory of the file. */
export const monitorFile =
  (file: string): Parse<Plan> =>
  (text) =>
    Result.flatMap(decodeConfig(MonitorConfig, text), (config) =>
      makePlan(mapPaths(config, (path) => resolve(dirname(file), path)))
    )

/**
 * Reads the targets of a monitor from the configuration file or from the command line. All targets from the command line belong to one
 * group.
 */
export const planFor = Effect.fnUntraced(function* (settings: ExporterSettings, history: boolean) {
  const { addresses, config, file, interval, query } = settings
  if (config !== undefined) {
    if (addresses.length > 0 || [file, interval, query].some((one) => one !== undefined)) {
      return yield* new UsageError(
        "--config cannot be combined with addresses, --file, --interval or --query. Put them into the file."
      )
    }
    const plan = yield* readConfig(config, monitorFile(config))
    if (!history && plan.webhooks.length > 0) {
      return yield* new UsageError(
        `${config} has webhooks, which the exporter does not support. Use \`sourcewire monitor\`, or remove them.`
      )
    }
    return plan
  }
  const targets = yield* parseValidTargets(addresses, file)
  const group = {
    name: "default",
    // If the user entered a game (`rust:HOST`), the plan contains this text instead of an address, because the monitor tries all query
    // ports of the game.
    targets: targets.map(({ given, name }) => given ?? name),
    query: query ?? (history ? ("all" as const) : ("info" as const)),
    ...(interval === undefined ? {} : { intervalMs: interval })
  }
  return yield* orUsageError(makePlan({ groups: [group] }))
})

const readText = (file: string) => reading(file, () => readFile(file, "utf8"))

export const tokenIn = (file: string | undefined) =>
  file === undefined
    ? Effect.undefined
    : Effect.map(readSecretFile(file, "token"), (token) => Redacted.value(token).trim())

export const DEFAULT_WEB_PORT = 9155

/**
 * Reads the settings of the monitor's web server: the address on which it listens, the token and the users that may read its pages, and the
 * TLS certificate. Fails if other hosts can reach the address, but neither a token nor a user is set.
 */
export const webFor = Effect.fnUntraced(function* (settings: ExporterSettings) {
  const { host, port } = yield* Effect.fromResult(parseBind(settings.bind, DEFAULT_WEB_PORT))
  const web =
    settings.webConfig === undefined
      ? {}
      : yield* readConfig(settings.webConfig, (text) => decodeConfig(WebConfig, text))
  const token = yield* tokenIn(settings.tokenFile)
  if (token !== undefined && !/^\S{16,}$/.test(token)) {
    return yield* new UsageError(
      `The token in ${settings.tokenFile} is not valid. It must have at least 16 characters and no spaces.`
    )
  }
  const access: Access = { token, users: web.basic_auth_users }
  const isGuarded = token !== undefined || Object.keys(access.users ?? {}).length > 0
  if (!isLoopback(host) && !isGuarded) {
    return yield* new UsageError(
      `--bind ${host} is reachable from other hosts. Restrict access with --token-file, or with basic_auth_users in --web-config.`
    )
  }
  const { tls_server_config: tls } = web
  if (tls === undefined) return { host, port, access, tls }
  // As in Prometheus's exporter-toolkit, relative paths in the file are resolved against the directory of the file.
  const beside = (file: string): string => resolve(dirname(settings.webConfig!), file)
  const cert = yield* readText(beside(tls.cert_file))
  const key = yield* readText(beside(tls.key_file))
  return { host, port, access, tls: { cert, key } }
})

/** Returns the path of a file in Sourcewire's directory for data or for configuration. Creates the directory if it does not exist. */
const ownFile = (variable: string, usual: ReadonlyArray<string>, name: string, flag: string) => {
  const directory = join(process.env[variable] ?? join(homedir(), ...usual), "sourcewire")
  return Effect.try({
    try: () => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      return join(directory, name)
    },
    catch: (cause) =>
      new ProgramError(`Cannot create ${directory}: ${explainSystemError(cause)}. Use ${flag}, or set ${variable}.`)
  })
}

/**
 * Returns the store that the user chose with `--store`, or the store that is named in the file of `--store-file`. The file protects the
 * password in a store's URL: on the command line, other users could see the password in the process list.
 */
export const chosenStore = Effect.fnUntraced(function* (
  { store: given, storeFile }: Pick<MonitorSettings, "store" | "storeFile">,
  flag = "store"
) {
  if (storeFile === undefined) return given
  if (given !== undefined) {
    return yield* new UsageError(`--${flag} and --${flag}-file cannot be combined. Give one of them.`)
  }
  return Redacted.value(yield* readSecretFile(storeFile, "store"))
})

export const ownStore = Effect.suspend(() =>
  ownFile("XDG_STATE_HOME", [".local", "state"], "monitor.db", "--store FILE")
)

export const ownConfig = Effect.suspend(() => ownFile("XDG_CONFIG_HOME", [".config"], "monitor.json", "--config FILE"))
