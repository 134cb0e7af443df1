/** What a game's own keywords and rules say, by the declarations of its reader. */
import type { Encoding, Malformed, Rule } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { type Said, demandSaid } from "../edge.ts"
import { type BohemiaRules, bohemiaRules } from "../bohemiaRules.ts"
import { type Game, demandGame } from "../Game.ts"
import type { FactValue, Field, Reader } from "./declaration.ts"
import { readers } from "./readers.ts"

/** One thing that a server said in its game's own way. */
export interface Fact {
  readonly from: "keywords" | "rules"
  /** What it said: a keyword, or a rule as `name=value`. */
  readonly raw: string
  /** What that is called here: `queue`, `mode`, `born`. */
  readonly name: string
  readonly value: FactValue
  /** A line for people. */
  readonly says: string
}

/** Everything that a server said in its game's own way. */
export interface Facts {
  /** The facts by name; of two with one name the first counts. */
  readonly values: Readonly<Record<string, FactValue>>
  readonly facts: ReadonlyArray<Fact>
  /** Keywords that nobody knows. */
  readonly unknown: ReadonlyArray<string>
  /** The binary rules of Arma 3 and DayZ. */
  readonly bohemia?: BohemiaRules
  /** Why there are none, though there should be. */
  readonly malformed?: Malformed
}

/** The keywords of a server one by one, as its game divides them. */
export const keywordsOf = (game: Game | undefined, info: Said["info"]): ReadonlyArray<string> => {
  const keywords = info._tag === "InfoReply" ? (info.keywords ?? "") : ""
  const { pairs = false, separator = "," } = readerOf(game)
  const parts = keywords.split(separator).map((part) => part.trim())
  if (!pairs) return parts.filter((part) => part !== "")
  return parts.flatMap((part, i) => (i % 2 === 0 && part !== "" ? [`${part}${separator}${parts[i + 1] ?? ""}`] : []))
}

const readerOf = (game: Game | undefined): Reader =>
  game === undefined || game.reader === null ? {} : readers[game.reader]

const keyword = (fields: ReadonlyArray<Field>, pair: string, word: string): Fact | undefined => {
  const likely = fields.filter(([key]) => word.startsWith(key + pair)).toSorted(([a], [b]) => b.length - a.length)
  for (const [key, fact, as, says] of likely) {
    const value = as(word.slice(key.length + pair.length))
    if (value !== undefined) return { from: "keywords", raw: word, name: fact, value, says }
  }
  return undefined
}

const fromRules = (reader: Reader, rules: ReadonlyArray<Rule>): ReadonlyArray<Fact> => {
  const single = rules.flatMap((rule): ReadonlyArray<Fact> => {
    const [, name, as, says] = reader.rules?.find(([key]) => key === rule.name) ?? []
    const value = as?.(rule.value)
    if (name === undefined || says === undefined || value === undefined) return []
    return [{ from: "rules", raw: `${rule.name}=${rule.value}`, name, value, says }]
  })
  const gathered = (reader.gathered ?? []).flatMap(([keys, fact, as, says]): ReadonlyArray<Fact> => {
    const parts = rules
      .filter(({ name }) => keys.test(name))
      .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }))
    const value = parts.length === 0 ? undefined : as(parts.map((part) => part.value))
    const raw = parts.length === 1 ? parts[0]!.name : `${parts[0]?.name} … ${parts.at(-1)?.name}`
    return value === undefined ? [] : [{ from: "rules", raw, name: fact, value, says }]
  })
  return [...single, ...gathered]
}

const bohemiaFacts = ({ difficulty, dlcs, mods, signatures }: BohemiaRules): ReadonlyArray<Fact> => {
  const said: ReadonlyArray<readonly [name: string, value: FactValue | undefined, says: string]> = [
    ["mods", mods, "Mods, by their number in the Workshop"],
    ["dlcs", dlcs.map(({ name }) => name), "DLCs that players need"],
    ["signatures", signatures, "Keys whose mods players may have"],
    ["thirdPerson", difficulty?.thirdPerson, "Whether players may look over their shoulder"],
    ["crosshair", difficulty?.crosshair, "Whether players see a crosshair"]
  ]
  return said.flatMap(([name, value, says]) =>
    value === undefined ? [] : [{ from: "rules", raw: "chunks", name, value, says }]
  )
}

/** Reads what a server said in the way of its game. Nothing is made up: what is no valid value is among the unknown. */
export const readFacts = (game: Game | undefined, said: Said, encoding?: Encoding): Facts => {
  demandGame(game)
  demandSaid(said)
  const reader = readerOf(game)
  const words = keywordsOf(game, said.info)
  const pair = reader.pairs === true ? (reader.separator ?? ",") : ""
  const found = words.map((word) => keyword(reader.keywords ?? [], pair, word))
  const { players, rules } = said
  const block =
    rules === undefined || reader.binary === undefined ? undefined : bohemiaRules(rules, reader.binary, encoding)
  const binary = block !== undefined && Result.isSuccess(block) ? block.success : undefined
  const hidden = players !== undefined && players.players.length > 0 && players.players.every(({ name }) => name === "")
  const facts: ReadonlyArray<Fact> = [
    ...found.filter((one) => one !== undefined),
    ...fromRules(reader, rules?.rules ?? []),
    ...(binary === undefined ? [] : bohemiaFacts(binary))
  ]
  const values: Record<string, FactValue> = hidden ? { namesHidden: true } : {}
  for (const { name, value } of facts) if (!Object.hasOwn(values, name)) values[name] = value
  return {
    values,
    facts,
    unknown: words.filter((_, i) => found[i] === undefined),
    ...(binary === undefined ? {} : { bohemia: binary }),
    ...(block !== undefined && Result.isFailure(block) ? { malformed: block.failure } : {})
  }
}
