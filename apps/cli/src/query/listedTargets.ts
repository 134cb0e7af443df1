/** Targets that are more than an address each: lines of a file, servers of a game, relayed ones; and what is wrong with those that are none. */
import { parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError, reading } from "../exitCode.ts"
import { bytesOf, isBlankOrComment, linesOf } from "../lines.ts"
import { type Target, plainTarget, targetAt } from "./targets.ts"

/** What may be a game's id, and what may be an address, as in `rust:192.0.2.1`. */
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

/** Stands for a port that was not given. */
const NONE = 0

const targetOf = Effect.fnUntraced(function* (text: string, where: string, id: string | undefined) {
  const plain = id === undefined ? plainTarget(text) : undefined
  if (plain !== undefined) return plain
  const [, prefix = "", rest = ""] = Result.isFailure(parseAddress(text)) ? (OF_GAME.exec(text) ?? []) : []
  // Knows all games, which takes a moment to load.
  const { gameOf, queryPortsOf, unaskable } = yield* Effect.promise(() => import("@sourcewire/games"))
  const [ofAll, ofOne] = [gameOf(id ?? ""), gameOf(prefix)]
  if (id !== undefined && ofAll === undefined) {
    return yield* new UsageError(`${id} is no game that is known; \`sourcewire games\` lists them.`)
  }
  const game = ofOne ?? ofAll
  const address = parseAddress(ofOne === undefined ? text : rest, game && NONE)
  if (Result.isFailure(address)) return yield* new UsageError(where + address.failure.message)
  const { host, port } = address.success
  const ports = game === undefined ? [port] : queryPortsOf(game, port === NONE ? undefined : port)
  const common = { game, unaskable: unaskable(host, game) }
  const [first, ...others] = ports.map((one): Target => ({ ...targetAt({ ...address.success, port: one }), ...common }))
  return { ...first!, others }
})

const entriesOf = (file: string) =>
  reading(file, async () => {
    const entries: Array<{ readonly text: string; readonly number: number }> = []
    let number = 0
    for await (const line of linesOf(bytesOf(file))) {
      number++
      if (line !== undefined && !isBlankOrComment(line)) entries.push({ text: line.trim(), number })
    }
    return entries
  })

export const listedTargets = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file: string | undefined,
  id: string | undefined
) {
  if (file === undefined && addresses.length === 0) {
    return yield* new UsageError("There is nobody to ask. Give at least one address, or a list with --file.")
  }
  const targets = yield* Effect.forEach(addresses, (text) => targetOf(text, "", id))
  const entries = file === undefined ? [] : yield* entriesOf(file)
  const listed = yield* Effect.forEach(entries, ({ number, text }) => targetOf(text, `${file}, line ${number}: `, id))
  return [...targets, ...listed]
})
