/** Reads a game's own keywords and rules, which the game's reader declares. */
import type { Encoding, Malformed, PlayersReply, Rule } from "@sourcewire/protocol"
import { type GameReplies, demandPlayers, demandReplies } from "../edge.ts"
import { type BohemiaRules, bohemiaRules, chunkRules } from "../bohemiaRules.ts"
import { type Game, demandGame } from "../Game.ts"
import type { FactValue, Field, Reader, Unit } from "./declaration.ts"
import { factText } from "./factText.ts"
import { readers } from "./readers.ts"

/** A fact from a game's own keywords or rules. */
export interface Fact {
  readonly from: "keywords" | "rules"
  /** The keyword as the server sent it, or the rule as `name=value`. */
  readonly raw: string
  /** The name in {@link Facts.values}, for example `queue`, `mode` or `born`. */
  readonly name: string
  readonly value: FactValue
  /** The label for display, for example "Waiting to join" or "Last wipe". */
  readonly label: string
  /**
   * The value for display, with its unit, for example "12", "2020-09-13 12:26 UTC" or "yes". The text may come from the server: escape it
   * before you show it, for example in HTML.
   */
  readonly text: string
}

/** All facts from a game's own keywords and rules. */
export interface Facts {
  /**
   * The values of the facts by name. If several facts have the same name, the value of the first fact is used. In addition, `namesHidden`
   * is `true` if the player list has entries, but no names of players.
   */
  readonly values: Readonly<Record<string, FactValue>>
  readonly facts: ReadonlyArray<Fact>
  /** Keywords without a declaration, or with an invalid value. */
  readonly unknown: ReadonlyArray<string>
  /**
   * The last keyword, if it may be incomplete because the game truncates its keywords. `facts` and `unknown` do not contain this keyword.
   */
  readonly truncatedKeyword?: string
  /** Rules that produced no fact. */
  readonly unreadRules: ReadonlyArray<Rule>
  /** The binary rules of Arma 3 and DayZ. */
  readonly bohemia?: BohemiaRules
  /** The error, if the binary rules cannot be decoded. */
  readonly malformed?: Malformed
}

/** The keywords of a server, split at the separator of its game. */
export interface Keywords {
  readonly complete: ReadonlyArray<string>
  readonly truncated: string | undefined
}

const utf8 = new TextEncoder()

/** Splits the keywords of a server at the separator of its game. */
export const splitKeywords = (game: Game | undefined, info: GameReplies["info"]): Keywords => {
  const keywords = info._tag === "InfoReply" ? (info.keywords ?? "") : ""
  const { maxKeywordBytes, pairs = false, separator = "," } = findReader(game)
  const parts = keywords.split(separator).map((part) => part.trim())
  const isFull = maxKeywordBytes !== undefined && utf8.encode(keywords).length >= maxKeywordBytes
  // If the keywords end with a separator, the last part is empty, and the part before it is complete.
  const last = isFull ? parts.pop() : undefined
  const complete = pairs
    ? parts.flatMap((part, i) => (i % 2 === 0 && part !== "" ? [`${part}${separator}${parts[i + 1] ?? ""}`] : []))
    : parts.filter((part) => part !== "")
  return { complete, truncated: last === "" ? undefined : last }
}

const findReader = (game: Game | undefined): Reader =>
  game === undefined || game.reader === null ? {} : readers[game.reader]

/** Whether a game reports its version in keywords or rules. */
export const readsVersion = (game: Game | undefined): boolean => {
  const { keywords = [], rules = [] } = findReader(game)
  return [...keywords, ...rules].some(([, fact]) => fact === "version")
}

const makeFact = (
  from: Fact["from"],
  raw: string,
  name: string,
  value: FactValue,
  label: string,
  unit: Unit | undefined
): Fact => ({ from, raw, name, value, label, text: factText(value, unit) })

const keyword = (fields: ReadonlyArray<Field>, pair: string, word: string): Fact | undefined => {
  const likely = fields.filter(([key]) => word.startsWith(key + pair)).toSorted(([a], [b]) => b.length - a.length)
  for (const [key, fact, as, label, unit] of likely) {
    const value = as(word.slice(key.length + pair.length))
    if (value !== undefined) return makeFact("keywords", word, fact, value, label, unit)
  }
  return undefined
}

/** The facts from the rules of a reply, and the rules that produced these facts. */
interface ReadRules {
  readonly facts: ReadonlyArray<Fact>
  readonly read: ReadonlySet<Rule>
}

const fromRules = (reader: Reader, rules: ReadonlyArray<Rule>): ReadRules => {
  const facts: Array<Fact> = []
  const read = new Set<Rule>()
  for (const rule of rules) {
    const [, name, as, label, unit] = reader.rules?.find(([key]) => key === rule.name) ?? []
    const value = as?.(rule.value)
    if (name === undefined || label === undefined || value === undefined) continue
    facts.push(makeFact("rules", `${rule.name}=${rule.value}`, name, value, label, unit))
    read.add(rule)
  }
  for (const [keys, name, as, label, unit] of reader.gathered ?? []) {
    const parts = rules
      .filter((rule) => keys.test(rule.name))
      .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }))
    const value = parts.length === 0 ? undefined : as(parts.map((part) => part.value))
    if (value === undefined) continue
    const raw = parts.length === 1 ? parts[0]!.name : `${parts[0]?.name} … ${parts.at(-1)?.name}`
    facts.push(makeFact("rules", raw, name, value, label, unit))
    for (const part of parts) read.add(part)
  }
  return { facts, read }
}

const bohemiaFacts = ({ difficulty, dlcs, mods, signatures }: BohemiaRules): ReadonlyArray<Fact> => {
  const values: ReadonlyArray<readonly [name: string, value: FactValue | undefined, label: string]> = [
    ["mods", mods, "Mods"],
    ["dlcs", dlcs.map(({ name }) => name), "Required DLCs"],
    ["signatures", signatures, "Accepted keys"],
    ["thirdPerson", difficulty?.thirdPerson, "Third person"],
    ["crosshair", difficulty?.crosshair, "Crosshair"]
  ]
  return values.flatMap(([name, value, label]) =>
    value === undefined ? [] : [makeFact("rules", "chunks", name, value, label, undefined)]
  )
}

/** The name of the single entry that Counter-Strike servers with `host_players_show 1` send in place of all players. */
const PLACEHOLDER = "Max Players"

/** Returns the names of the players in a list, without empty names and without the placeholder for hidden names. */
export const playerNames = (reply: PlayersReply): ReadonlyArray<string> => {
  demandPlayers(reply)
  const { players } = reply
  const names = players.flatMap(({ name }) => (name === "" ? [] : [name]))
  return players.length === 1 && names[0] === PLACEHOLDER ? [] : names
}

/**
 * Parses the keywords and rules of a server, as the reader of the server's game declares them. `unknown` contains each keyword with an
 * invalid value, and `unreadRules` contains each rule with an invalid value.
 */
export const readFacts = (game: Game | undefined, replies: GameReplies, encoding?: Encoding): Facts => {
  demandGame(game)
  demandReplies(replies)
  const reader = findReader(game)
  const { complete: words, truncated } = splitKeywords(game, replies.info)
  const pair = reader.pairs === true ? (reader.separator ?? ",") : ""
  const found = words.map((word) => keyword(reader.keywords ?? [], pair, word))
  const { players, rules } = replies
  const { bohemia, malformed } =
    rules === undefined || reader.binary === undefined ? {} : bohemiaRules(rules, reader.binary, encoding)
  const fromPlain = fromRules(reader, rules?.rules ?? [])
  const facts: ReadonlyArray<Fact> = [
    ...found.filter((one) => one !== undefined),
    ...fromPlain.facts,
    ...(bohemia === undefined ? [] : bohemiaFacts(bohemia))
  ]
  const hidden = players !== undefined && players.players.length > 0 && playerNames(players).length === 0
  const values: Record<string, FactValue> = hidden ? { namesHidden: true } : {}
  for (const { name, value } of facts) if (!Object.hasOwn(values, name)) values[name] = value
  const chunks = rules === undefined || bohemia === undefined ? new Set<Rule>() : chunkRules(rules, encoding)
  return {
    values,
    facts,
    unknown: words.filter((_, i) => found[i] === undefined),
    ...(truncated === undefined ? {} : { truncatedKeyword: truncated }),
    unreadRules: (rules?.rules ?? []).filter((rule) => !fromPlain.read.has(rule) && !chunks.has(rule)),
    ...(bohemia === undefined ? {} : { bohemia }),
    ...(malformed === undefined ? {} : { malformed })
  }
}
