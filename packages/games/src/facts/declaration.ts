/**
 * The form in which the keywords and rules of a game are declared: as data, one field per line. `readFacts` interprets the declarations.
 *
 * @module
 */

/** A mod of a server. Fields that the server does not report are absent. */
export interface Mod {
  readonly name?: string
  /** The id of the mod in the Steam Workshop, or the app id of a DLC. */
  readonly id?: string
  /** The value by which the game distinguishes the versions of the mod, as hex or as the text in the rules. */
  readonly hash?: string
  /** Whether the mod is a DLC that players buy. */
  readonly dlc?: boolean
}

/** The value of a fact. */
export type FactValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<Mod>

/** Parses the text of a value. Returns `undefined` if the text is invalid. */
export type Kind = (text: string) => FactValue | undefined

/** The unit of a number, or the format of a text. With `hundredths`, 206 means 2.06. With `gameTicks`, 24,000 means one day in the game. */
export type Unit = "seconds" | "minutes" | "metres" | "percent" | "times" | "hundredths" | "gameTicks" | "date"

/**
 * The meaning of a keyword or rule: its name in results, its parser, its label for display, and the unit of its value. All games use these
 * names for common facts: `players`, `maxPlayers`, `queue`, `map`, `mode`, `name`, `version`, `password`, `mods`.
 */
type Meaning<A> = readonly [fact: string, as: (raw: A) => FactValue | undefined, label: string, unit?: Unit]

/**
 * The declaration of the rule with the name `key`, or of the keywords with the prefix `key`. The parser gets the value of the rule, or the
 * text after the prefix.
 */
export type Field = readonly [key: string, ...Meaning<string>]

/** A fact that is spread over several rules. The parser gets a list of the values of these rules, sorted by the names of the rules. */
export type Gathered = readonly [keys: RegExp, ...Meaning<ReadonlyArray<string>>]

/** The declarations of a game's keywords and rules. */
export interface Reader {
  /**
   * `true` if the only evidence for the declaration is the output of other programs that queried servers of the game. Declarations without
   * `reported` are tested with recorded replies of real servers.
   */
  readonly reported?: true
  readonly keywords?: ReadonlyArray<Field>
  /** The text between keywords (default: a comma). */
  readonly separator?: string
  /**
   * Whether the keywords consist of alternating keys and values. `separator` separates a key from its value, and a value from the next key.
   */
  readonly pairs?: true
  /**
   * The length at which the game truncates its keywords, in bytes. If the keywords have this length, the last keyword may be incomplete.
   */
  readonly maxKeywordBytes?: number
  readonly rules?: ReadonlyArray<Field>
  readonly gathered?: ReadonlyArray<Gathered>
  /** The game whose binary rules the server sends, see `bohemiaRules`. */
  readonly binary?: "arma3" | "dayz"
}
