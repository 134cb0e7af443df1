/**
 * Completes names of commands, variables and maps when the user presses Tab. The names of commands and variables are from a list for the
 * server's engine, and from the server's replies to `cvarlist` and `cmdlist`. The names of maps are from its replies to `maps`, `listmaps`
 * and `maplist`.
 */

/**
 * Matches a line of the output of `cvarlist` or `cmdlist`. The line begins with a name. After the name, one of these follows:
 *
 * - the end of the line (`cmdlist` of GoldSource)
 * - spaces and a colon (`sv_gravity : 800 : …`, Source and GoldSource)
 * - two or more spaces (Xash3D)
 *
 * Headings and totals do not match, because in these lines, a single space follows the first word.
 */
const ENTRY = /^\s*([+-]?[a-z_][\w.@-]*)(?:\s+:|\s{2,}|\s*$)/i

/** Matches the file names in a list of maps: `PENDING:  (fs) de_dust2.bsp` on Source, `de_dust2.bsp` on GoldSource. */
const MAP_FILE = /([\w.@+-]+(?:\/[\w.@+-]+)*)\.bsp\b/gi

const LISTS_NAMES = /^\s*(?:cvarlist|cmdlist)\b/i
const LISTS_MAPS = /^\s*(?:maps|listmaps|maplist)\b/i

/**
 * `TAKES_NAME` matches a typed line if its last word is an argument that names a command or variable. `TAKES_MAP` matches a typed line if
 * its last word is an argument that names a map.
 */
const TAKES_NAME = /^\s*(?:cvarlist|cmdlist|find|help|toggle)\s+(\S*)$/i
const TAKES_MAP = /^\s*(?:map|changelevel|nextlevel|sm_map|sm_setnextmap|amx_map)\s+(\S*)$/i

const FIRST_WORD = /^\s*(\S*)$/

/** Maximum length of a name. Longer texts cannot be names, because the engines do not allow them. */
const MAX_NAME_LENGTH = 64

/**
 * Maximum number of stored names of commands and variables. The same maximum applies to the stored names of maps. Even with many addons, a
 * game has only a few thousand names.
 */
const MAX_NAMES = 20_000

const add = (names: Set<string>, name: string | undefined): void => {
  if (name !== undefined && name.length <= MAX_NAME_LENGTH && names.size < MAX_NAMES) names.add(name)
}

export class Names {
  readonly #names: Set<string>
  readonly #maps = new Set<string>()

  constructor(common: ReadonlyArray<string>) {
    this.#names = new Set(common)
  }

  learn(command: string, reply: string): void {
    if (LISTS_NAMES.test(command)) for (const line of reply.split("\n")) add(this.#names, ENTRY.exec(line)?.[1])
    if (LISTS_MAPS.test(command)) for (const [, map] of reply.matchAll(MAP_FILE)) add(this.#maps, map)
  }

  /** Completes the last word of `line`. Returns all completions and the last word, as `node:readline` requires. */
  complete(line: string): [matches: Array<string>, word: string] {
    const map = TAKES_MAP.exec(line)?.[1]
    const word = map ?? (FIRST_WORD.exec(line) ?? TAKES_NAME.exec(line))?.[1]
    if (word === undefined) return [[], ""]
    const wanted = word.toLowerCase()
    const known = map === undefined ? this.#names : this.#maps
    return [[...known].filter((name) => name.toLowerCase().startsWith(wanted)).toSorted(), word]
  }
}
