/**
 * How the keywords and rules of a game are declared: as data, a field a line. `readFacts` walks the declarations.
 *
 * @module
 */

/** A mod that a server runs. What the server does not say is left out. */
export interface Mod {
  readonly name?: string
  /** Its number in Steam's Workshop, or, for a DLC, its app id. */
  readonly id?: string
  /** What the game compares to tell versions: hex, or whatever its rules hold. */
  readonly hash?: string
  /** Whether it is a DLC that one buys. */
  readonly dlc?: boolean
}

/** What a field may say. */
export type FactValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<Mod>

/** Reads what follows the key; `undefined` for what it cannot be, so that nothing is made up. */
export type Kind = (text: string) => FactValue | undefined

/**
 * What a keyword or a rule says: what it is called in results, how it is read, and a line for people. The names that all games share:
 * `players`, `maxPlayers`, `queue`, `map`, `mode`, `name`, `version`, `password`, `mods`.
 */
type Says<A> = readonly [fact: string, as: (said: A) => FactValue | undefined, says: string]

/** A rule by its name, or a keyword by how it begins: the rest of the keyword, or the rule's value, is read. */
export type Field = readonly [key: string, ...Says<string>]

/** A fact that several rules hold together, in the order of their names. */
export type Gathered = readonly [keys: RegExp, ...Says<ReadonlyArray<string>>]

/** What reads the answers of a game. */
export interface Reader {
  /** It rests on what others report of the game; for all others, recorded answers of real servers are among the tests. */
  readonly reported?: true
  readonly keywords?: ReadonlyArray<Field>
  /** What stands between keywords, a comma unless told otherwise. */
  readonly separator?: string
  /** Keys and values of keywords take turns, with the separator between. */
  readonly pairs?: true
  readonly rules?: ReadonlyArray<Field>
  readonly gathered?: ReadonlyArray<Gathered>
  /** Rules that are chunks of bytes, see `bohemiaRules`. */
  readonly binary?: "arma3" | "dayz"
}
