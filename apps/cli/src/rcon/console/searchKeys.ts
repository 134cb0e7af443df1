/** Keys that search what was typed (Ctrl-R) and what was replied (Ctrl-F), in the place of the prompt. */
import type { Interface, Key } from "node:readline"
import { LineSearch } from "./lineSearch.ts"

/** What there is to search, the newest first. */
export interface Searchable {
  readonly history: () => ReadonlyArray<string>
  readonly replies: () => ReadonlyArray<string>
  /** Shows what Enter asks for in a search of replies: those that hold a text. */
  readonly showReplies: (text: string) => void
}

/** What Ctrl with a letter searches. */
const SEARCHED: Readonly<Record<string, "history" | "replies">> = { r: "history", f: "replies" }

/** Shows another line, behind another prompt. */
export const redraw = (lines: Interface, prompt: string, line: string): void => {
  lines.setPrompt(prompt)
  lines.write(null, { ctrl: true, name: "e" })
  lines.write(null, { ctrl: true, name: "u" })
  lines.write(line)
  lines.prompt(true)
}

/** Prints in the place of the prompt, which comes back below. */
export const printAbove = (lines: Interface, print: () => void): void => {
  process.stderr.write("\r\u001b[J")
  print()
  lines.prompt(true)
}

/** Does a key's part in a search, and begins one; gives whether the line is to have the key as well. */
export const searchKeys = (
  lines: Interface,
  prompt: string,
  searchable: Searchable
): ((text: string | undefined, key: Key) => boolean) => {
  let underWay: { readonly letter: string; readonly search: LineSearch; readonly before: string } | undefined
  return (text, key) => {
    const searched = key.ctrl === true ? SEARCHED[key.name ?? ""] : undefined
    if (underWay === undefined) {
      if (searched === undefined) return true
      underWay = { letter: key.name!, search: new LineSearch(searchable[searched]()), before: lines.line }
      redraw(lines, `search ${searched}: `, "")
      return false
    }
    const { before, letter, search } = underWay
    if (search.take(text, key, letter)) {
      const { found, term } = search
      const nothing = term !== "" && found === undefined ? " (nothing)" : ""
      redraw(lines, `search ${SEARCHED[letter]} ${JSON.stringify(term)}${nothing}: `, found ?? "")
      return false
    }
    underWay = undefined
    const isGivenUp = key.ctrl === true && (key.name === "c" || key.name === "g")
    const isOfHistory = SEARCHED[letter] === "history"
    redraw(lines, prompt, isOfHistory && !isGivenUp ? (search.found ?? before) : before)
    if (!isOfHistory && key.name === "return") printAbove(lines, () => searchable.showReplies(search.term))
    return isOfHistory && !isGivenUp && key.name !== "escape"
  }
}
