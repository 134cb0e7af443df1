/**
 * Names of a server's variables and commands, to complete what is typed: those that are common to its engine, and what its `cvarlist`
 * and `cmdlist` print.
 */

/**
 * A line of a list begins with the name. Behind it comes nothing (GoldSource's `cmdlist`), a colon with blanks before it
 * (`sv_gravity : 800 : …`, both engines), or a gap (Xash3D). Headings and totals have single blanks between words.
 */
const ENTRY = /^\s*([+-]?[a-z_][\w.@-]*)(?:\s+:|\s{2,}|\s*$)/i

const LISTING = /^\s*(cvarlist|cmdlist)\b/i

/** Commands whose argument is another one's name. */
const TAKES_NAME = /^\s*(?:cvarlist|cmdlist|find|help|toggle)\s+(\S*)$/i

const FIRST_WORD = /^\s*(\S*)$/

/** Longest of the names that count as such; engines cap them lower. */
const MAX_NAME_LENGTH = 64

/** Names kept. Games with all their addons have a few thousand. */
const MAX_NAMES = 20_000

/** Names known of one server. */
export class Names {
  readonly #names: Set<string>

  constructor(common: ReadonlyArray<string>) {
    this.#names = new Set(common)
  }

  /** Whether a command's reply should be shown to {@link Names.learn}. */
  isListing(command: string): boolean {
    return LISTING.test(command)
  }

  /** Takes the names out of such a reply. */
  learn(reply: string): void {
    for (const line of reply.split("\n")) {
      const name = ENTRY.exec(line)?.[1]
      if (this.#names.size >= MAX_NAMES) return
      if (name !== undefined && name.length <= MAX_NAME_LENGTH) this.#names.add(name)
    }
  }

  /** What may stand for the word at the end of `line`, and that word; as `node:readline` wants it. */
  complete(line: string): [matches: Array<string>, word: string] {
    const word = (FIRST_WORD.exec(line) ?? TAKES_NAME.exec(line))?.[1]
    if (word === undefined) return [[], ""]
    const wanted = word.toLowerCase()
    return [[...this.#names].filter((name) => name.toLowerCase().startsWith(wanted)).toSorted(), word]
  }
}
