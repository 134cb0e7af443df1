/** The addresses that a command is to ask, from arguments and from a file. */
import { type Address, formatAddress, parseAddress } from "@sourcewire/core"
import type { Game, Unaskable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { bytesOf, isBlankOrComment, linesOf } from "../lines.ts"
import { type ProgramError, UsageError, cannotRead } from "../exitCode.ts"

export interface Target {
  readonly address: Address
  /** The address as results name it: always with its port. */
  readonly name: string
  /** What it runs, where the command line says so. */
  readonly game?: Game
  /** Why nobody could answer. */
  readonly unaskable?: Unaskable
  /** Where else it may be asked, when nobody answers here. */
  readonly others?: ReadonlyArray<Target>
}

export const targetAt = (address: Address): Target => ({ address, name: formatAddress(address) })

/** What may be a game's id, and what may be an address, as in `rust:192.0.2.1`. */
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

/** Where Steam puts the servers behind its relays. */
const LINK_LOCAL = /^169\.254\./

const targetOf = Effect.fnUntraced(function* (
  text: string,
  where: string,
  id: string | undefined
): Effect.fn.Return<Target, UsageError> {
  const plain = parseAddress(text)
  const [, prefix, rest = ""] = Result.isFailure(plain) ? (OF_GAME.exec(text) ?? []) : []
  if (Result.isSuccess(plain) && id === undefined && !LINK_LOCAL.test(plain.success.host))
    return targetAt(plain.success)
  if (Result.isFailure(plain) && id === undefined && prefix === undefined) {
    return yield* new UsageError(where + plain.failure.message)
  }
  // Knows all games, which takes a moment to load.
  const { gameTarget, hasGame } = yield* Effect.promise(() => import("./gameTarget.ts"))
  if (id !== undefined && !hasGame(id)) {
    return yield* new UsageError(`${id} is no game that is known; \`sourcewire games\` lists them.`)
  }
  const target = prefix !== undefined && hasGame(prefix) ? gameTarget(rest, prefix) : gameTarget(text, id)
  return Result.isSuccess(target) ? target.success : yield* new UsageError(where + target.failure.message)
})

/** The lines of a file that hold something, with their numbers. */
const entriesOf = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const entries: Array<{ readonly text: string; readonly number: number }> = []
      let number = 0
      for await (const line of linesOf(bytesOf(file))) {
        number++
        if (line !== undefined && !isBlankOrComment(line)) entries.push({ text: line.trim(), number })
      }
      return entries
    },
    catch: cannotRead(file)
  })

/** Every target in order. Each is checked before any is asked, so that a typing error costs nobody a query. */
export const targetsOf = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file?: string,
  id?: string
): Effect.fn.Return<ReadonlyArray<Target>, UsageError | ProgramError> {
  const targets: Array<Target> = []
  for (const text of addresses) targets.push(yield* targetOf(text, "", id))
  if (file !== undefined) {
    for (const { number, text } of yield* entriesOf(file)) {
      targets.push(yield* targetOf(text, `${file}, line ${number}: `, id))
    }
  } else if (targets.length === 0) {
    return yield* new UsageError("There is nobody to ask. Give at least one address, or a list with --file.")
  }
  return targets
})
