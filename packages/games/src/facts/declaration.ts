/**
 * The form in which the keywords and rules of a game are declared: as data, one field per line. `readFacts` walks the declarations.
 *
 * @module
 */

/** A mod that a server runs. What the server does not report is left out. */
export interface Mod {
  readonly name?: string
  /** Its id in the Steam Workshop, or the app id of a DLC. */
  readonly id?: string
  /** The value that the game compares to tell versions apart: hex, or whatever its rules have. */
  readonly hash?: string
  /** Whether it is a DLC that players buy. */
  readonly dlc?: boolean
}

/** The value of a fact. */
export type FactValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<Mod>

/** Reads the text behind the key; `undefined` if it is not valid, so that no value is invented. */
export type Kind = (text: string) => FactValue | undefined

/** The unit of a number, or the form of a text, for people. `hundredths` is 2.06 for 206; a day has 24,000 `gameTicks`. */
export type Unit = "seconds" | "minutes" | "metres" | "percent" | "times" | "hundredths" | "gameTicks" | "date"

/**
 * The meaning of a keyword or rule: its name in results, its reader, its label for people, and the unit of its value. The names that all
 * games share: `players`, `maxPlayers`, `queue`, `map`, `mode`, `name`, `version`, `password`, `mods`.
 */
type Meaning<A> = readonly [fact: string, as: (raw: A) => FactValue | undefined, label: string, unit?: Unit]

/** A rule by its name, or a keyword by its beginning: the rest of the keyword, or the rule's value, is read. */
export type Field = readonly [key: string, ...Meaning<string>]

/** A fact that several rules contain together, in the order of their names. */
export type Gathered = readonly [keys: RegExp, ...Meaning<ReadonlyArray<string>>]

/** The declarations of a game's keywords and rules. */
export interface Reader {
  /** The reader rests on reports about the game; for all other readers, recorded replies of real servers are among the tests. */
  readonly reported?: true
  readonly keywords?: ReadonlyArray<Field>
  /** The text between keywords (default: a comma). */
  readonly separator?: string
  /** Keys and values of keywords alternate, with the separator between them. */
  readonly pairs?: true
  /** The game truncates its keywords at this length, so that the last one may be incomplete. */
  readonly maxKeywordBytes?: number
  readonly rules?: ReadonlyArray<Field>
  readonly gathered?: ReadonlyArray<Gathered>
  /** Rules that are chunks of bytes, see `bohemiaRules`. */
  readonly binary?: "arma3" | "dayz"
}
