/**
 * The monitor's own list of servers. The monitor uses this list if the command line does not describe targets. The list is a configuration
 * file of the user, which the web page can change.
 */
import {
  type AddedServers,
  InvalidConfig,
  MonitorConfig,
  type NewServers,
  makePlan,
  targetIn,
  type TargetList
} from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { existsSync } from "node:fs"
import { ProgramError } from "../exitCode.ts"
import { decodeConfig, readConfig } from "../files/configFile.ts"
import { removeUnfinished, replaceFile } from "../files/replaceFile.ts"
import { explainSystemError } from "../systemError.ts"
import type { MonitorSettings } from "./flags.ts"
import { ownConfig } from "./settings.ts"

const GROUP = "mine"

const EMPTY: typeof MonitorConfig.Type = { defaults: { query: "all" }, groups: [] }

const read = (file: string) => readConfig(file, (text) => decodeConfig(MonitorConfig, text))

const write = (file: string, config: typeof MonitorConfig.Type) =>
  Effect.tryPromise({
    try: () => replaceFile(file, `${JSON.stringify(config, undefined, 2)}\n`),
    catch: (cause) => new ProgramError(`Cannot write ${file}: ${explainSystemError(cause)}.`)
  })

/**
 * Returns the path of the file with the monitor's own list, and creates the file if it does not exist. If the command line contains
 * addresses or one of the flags `--config`, `--file`, `--interval` and `--query`, the result is `undefined`, and no file is created.
 */
export const ownListFor = Effect.fnUntraced(function* ({ addresses, config, file, interval, query }: MonitorSettings) {
  if (addresses.length > 0 || [config, file, interval, query].some((one) => one !== undefined)) return undefined
  const own = yield* ownConfig
  yield* Effect.promise(() => removeUnfinished(own))
  if (!existsSync(own)) yield* write(own, EMPTY)
  return own
})

type Config = typeof MonitorConfig.Type
type Group = Config["groups"][number]

/** Parses an entry of the list, and returns its address in the form that the monitor uses. Returns `undefined` if the entry is invalid. */
const parseTarget = (text: string): string | undefined => Result.getOrUndefined(targetIn(text))?.address

/** Returns a copy of a group without a server and without the name of this server. */
const without = (group: Group, address: string): Group => {
  const { names, targets, ...rest } = group
  const others = Object.entries(names ?? {}).filter(([text]) => parseTarget(text) !== address)
  return {
    ...rest,
    ...(targets && { targets: targets.filter((text) => parseTarget(text) !== address) }),
    ...(others.length > 0 && { names: Object.fromEntries(others) })
  }
}

/** Finds a server by its address. Returns the entry, the group and the name of the server. */
const found = ({ groups }: Config, address: string) => {
  for (const group of groups) {
    const text = group.targets?.find((text) => parseTarget(text) === address)
    if (text === undefined) continue
    const [, name] = Object.entries(group.names ?? {}).find(([key]) => parseTarget(key) === address) ?? []
    return { text, group: group.name, ...(name === undefined ? {} : { name }) }
  }
  return undefined
}

/** Changes a group of the configuration. If the group does not exist, it is created. */
const withGroup = (config: Config, name: string, change: (group: Group) => Group): Config => {
  const exists = config.groups.some((group) => group.name === name)
  const groups = exists ? config.groups : [...config.groups, { name }]
  return { ...config, groups: groups.map((group) => (group.name === name ? change(group) : group)) }
}

const withServer = (config: Config, group: string, text: string, name: string | undefined): Config =>
  withGroup(config, group, (own) => ({
    ...own,
    targets: [...(own.targets ?? []), text],
    ...(name === undefined || name === "" ? {} : { names: { ...own.names, [text]: name } })
  }))

/**
 * Returns the list of servers in a file. The monitor reloads the file after each change. Changes are made one at a time: otherwise a change
 * could overwrite another change.
 */
export const listIn = (file: string): TargetList => {
  const exclusively = Semaphore.makeUnsafe(1).withPermits(1)
  /** Changes the configuration and writes it to the file. If the monitor would reject the new configuration, the file is not written. */
  const change = <A>(
    edit: (config: Config) => Result.Result<readonly [next: Config, result: A], { readonly message: string }>
  ): Effect.Effect<A, { readonly message: string }> =>
    exclusively(
      Effect.gen(function* () {
        const config = yield* read(file)
        const [next, result] = yield* Effect.fromResult(edit(config))
        if (next === config) return result
        yield* Effect.fromResult(makePlan(next))
        yield* write(file, next)
        return result
      })
    )
  const missing = (address: string) => Result.fail(new InvalidConfig({ message: `${file} does not list ${address}.` }))

  const addIn = (config: Config, { addresses, group = GROUP, labels, names = {} }: NewServers) =>
    Result.map(makePlan(config), ({ targets }): readonly [Config, AddedServers] => {
      const known = new Set(targets.keys())
      const added: Array<AddedServers["added"][number]> = []
      const rejected: Array<AddedServers["rejected"][number]> = []
      let next = config
      for (const text of addresses) {
        const target = targetIn(text.trim())
        if (Result.isFailure(target)) {
          rejected.push({ text, message: target.failure.message })
        } else if (known.has(target.success.address)) {
          rejected.push({ text, message: `${target.success.address} is already monitored.` })
        } else {
          const { address, ports } = target.success
          known.add(address)
          added.push({ text, address })
          // If the text names a game, the list contains the text instead of the address, because the game can use several ports.
          next = withServer(next, group, ports.length > 0 ? text.trim() : address, names[text])
        }
      }
      const isLabelled = labels !== undefined && added.length > 0
      return [
        isLabelled ? withGroup(next, group, (own) => ({ ...own, labels: { ...own.labels, ...labels } })) : next,
        { added, rejected }
      ]
    })

  return {
    add: (servers) => change((config) => addIn(config, servers)),
    remove: (address) =>
      change((config) => {
        const server = found(config, address)
        if (server === undefined) return missing(address)
        return Result.succeed([
          { ...config, groups: config.groups.map((group) => without(group, address)) },
          server
        ] as const)
      }),
    edit: (address, { group, labels, name }) =>
      change((config) => {
        const server = found(config, address)
        if (server === undefined) return missing(address)
        const target = group ?? server.group
        const removed = { ...config, groups: config.groups.map((one) => without(one, address)) }
        const moved = withServer(removed, target, server.text, name ?? server.name)
        return Result.succeed([
          labels === undefined ? moved : withGroup(moved, target, (own) => ({ ...own, labels })),
          undefined
        ] as const)
      }),
    addWebhook: (webhook) =>
      change((config) =>
        Result.succeed([{ ...config, webhooks: [...(config.webhooks ?? []), webhook] }, undefined] as const)
      ),
    removeWebhook: (name) =>
      change((config) =>
        Result.succeed([
          { ...config, webhooks: (config.webhooks ?? []).filter((webhook) => webhook.name !== name) },
          undefined
        ] as const)
      )
  }
}
