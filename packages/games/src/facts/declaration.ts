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

/** A keyword or a rule. */
export interface Field {
  /** A rule's name, or how a keyword begins. */
  readonly key: string
  /** What it is called in results. The names that all games share: `players`, `maxPlayers`, `queue`, `map`, `mode`, `name`, `version`, `password`, `mods`. */
  readonly fact: string
  /** How the rest of the keyword, or the rule's value, is read. */
  readonly as: Kind
  /** A line for people. */
  readonly says: string
}

/** A fact that several rules hold together, in the order of their names. */
export interface Gathered {
  readonly key: RegExp
  readonly fact: string
  readonly as: (values: ReadonlyArray<string>) => FactValue | undefined
  readonly says: string
}

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
