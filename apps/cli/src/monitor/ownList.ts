/** The list that the monitor keeps itself, where nobody says what to watch: the user's own configuration, and how the page changes it. */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { InvalidConfig, MonitorConfig, planOf, type TargetList } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { existsSync } from "node:fs"
import { ProgramError } from "../exitCode.ts"
import { decodeConfig, readConfig } from "../files/configFile.ts"
import { replaceFile } from "../files/replaceFile.ts"
import { targetsOf } from "../query/targets.ts"
import type { MonitorSettings } from "./command.ts"
import { ownConfig } from "./settings.ts"

const GROUP = "mine"

const EMPTY: typeof MonitorConfig.Type = { defaults: { query: "all" }, groups: [] }

const read = (file: string) => readConfig(file, (text) => decodeConfig(MonitorConfig, text))

const write = (file: string, config: typeof MonitorConfig.Type) =>
  Effect.tryPromise({
    try: () => replaceFile(file, `${JSON.stringify(config, undefined, 2)}\n`),
    catch: (cause) => new ProgramError(`${file} can't be written: ${(cause as Error).message}`)
  })

/** The user's own configuration, where neither addresses nor a file say what to watch; made where there is none yet. */
export const ownListFor = Effect.fnUntraced(function* ({ addresses, config, file, interval, query }: MonitorSettings) {
  if (addresses.length > 0 || [config, file, interval, query].some((one) => one !== undefined)) return undefined
  const own = ownConfig()
  if (!existsSync(own)) yield* write(own, EMPTY)
  return own
})

/** Whether a text of the file stands for an address as the plan has it. */
const means = (text: string, address: string): boolean => {
  const parsed = parseAddress(text)
  return Result.isSuccess(parsed) && formatAddress(parsed.success) === address
}

/** The list in such a file, which the monitor follows. One change at a time, so that none is lost. */
export const listIn = (file: string): TargetList => {
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const add = Effect.fnUntraced(function* (text: string) {
    const [target] = yield* targetsOf([text.trim()])
    const { name, unaskable } = target!
    if (unaskable !== undefined) return yield* Effect.fail(unaskable)
    const config = yield* read(file)
    const plan = yield* Effect.fromResult(planOf(config))
    if (plan.targets.has(name)) return yield* new InvalidConfig({ message: `${name} is watched already.` })
    const others = config.groups.filter((group) => group.name !== GROUP)
    const own = config.groups.find((group) => group.name === GROUP) ?? { name: GROUP }
    yield* write(file, { ...config, groups: [...others, { ...own, targets: [...(own.targets ?? []), name] }] })
    return name
  }, inTurn)
  const remove = Effect.fnUntraced(function* (address: string) {
    const config = yield* read(file)
    const isNamed = config.groups.some(({ targets = [] }) => targets.some((text) => means(text, address)))
    if (!isNamed) return yield* new InvalidConfig({ message: `${address} is not in ${file} by its address.` })
    const groups = config.groups.map((group) => ({
      ...group,
      ...(group.targets && { targets: group.targets.filter((text) => !means(text, address)) })
    }))
    yield* write(file, { ...config, groups })
  }, inTurn)
  return { add, remove }
}
