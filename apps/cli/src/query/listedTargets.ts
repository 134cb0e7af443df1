/**
 * Parses the targets that need more code than plain addresses: targets in files, targets with a game, and targets behind Steam's relays. If
 * an argument is invalid, the command fails. If a line of a file is invalid, only the target of this line fails.
 */
import { InvalidAddress, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError, displayFileName, reading } from "../exitCode.ts"
import { MAX_LINE_CHARACTERS, readBytes, parseEntry, splitLines } from "../lines.ts"
import { type Target, failedTarget, plainTarget, targetAt } from "./target.ts"

/** Matches a target that consists of a game id, a colon and an address, for example `rust:192.0.2.1`. */
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

/**
 * If a target has a game but no port, its address is parsed with this placeholder. The query ports of the game then replace the
 * placeholder.
 */
const NONE = 0

/** If a line is too long, the results show this text in place of the line. */
const TOO_LONG = `(a line of more than ${MAX_LINE_CHARACTERS} characters)`

const parseTarget = Effect.fnUntraced(function* (text: string, id: string | undefined) {
  const plain = id === undefined ? plainTarget(text) : undefined
  if (plain !== undefined) return plain
  const [, prefix = "", rest = ""] = Result.isFailure(parseAddress(text)) ? (OF_GAME.exec(text) ?? []) : []
  // The games are loaded only here, because loading them takes a moment.
  const { findGame, likelyQueryPorts, notQueryable } = yield* Effect.promise(() => import("@sourcewire/games"))
  const [ofAll, ofOne] = [findGame(id ?? ""), findGame(prefix)]
  if (id !== undefined && ofAll === undefined) {
    return yield* new UsageError(`There is no game "${id}". \`sourcewire games\` lists the games.`)
  }
  const game = ofOne ?? ofAll
  const address = parseAddress(ofOne === undefined ? text : rest, game && NONE)
  if (Result.isFailure(address)) return yield* Effect.fail(address.failure)
  const { host, port } = address.success
  const ports = game === undefined ? [port] : likelyQueryPorts(game, port === NONE ? undefined : port)
  const common = { game, notQueryable: notQueryable(host, game) }
  const [first, ...others] = ports.map((one): Target => ({ ...targetAt({ ...address.success, port: one }), ...common }))
  return { ...first!, others, given: ofOne === undefined ? undefined : text }
})

const readEntries = (file: string) =>
  reading(file, async () => {
    const entries: Array<{ readonly text: string; readonly number: number }> = []
    let number = 0
    for await (const line of splitLines(readBytes(file))) {
      number++
      const text = line === undefined ? TOO_LONG : parseEntry(line)
      if (text !== "") entries.push({ text, number })
    }
    return entries
  })

export const listedTargets = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file: string | undefined,
  id: string | undefined
) {
  if (file === undefined && addresses.length === 0) {
    return yield* new UsageError("No target given. Give at least one address, or a list with --file.")
  }
  const targets = yield* Effect.forEach(addresses, (text) => parseTarget(text, id))
  const entries = file === undefined ? [] : yield* readEntries(file)
  const listed = yield* Effect.forEach(entries, ({ number, text }) =>
    Effect.catchTag(parseTarget(text, id), "InvalidAddress", (error) =>
      Effect.succeed(
        failedTarget(
          text,
          new InvalidAddress({ ...error, message: `Line ${number} of ${displayFileName(file!)}: ${error.message}` })
        )
      )
    )
  )
  return [...targets, ...listed]
})
