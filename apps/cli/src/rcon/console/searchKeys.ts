/** Keys that search what was typed (Ctrl-R) and what was replied (Ctrl-F), in the place of the prompt. */
import type { Interface, Key } from "node:readline"

/** One search of lines, the newest first, by a text that grows as it is typed. Knows no terminal. */
const lineSearch = (lines: ReadonlyArray<string>) => {
  let at = 0
  let term = ""
  /** Goes to the next line from `start` on that holds the term; stays where none does, so that Ctrl-R once too often loses nothing. */
  const find = (next: string, start: number): true => {
    const wanted = next.toLowerCase()
    const found = lines.findIndex((line, i) => i >= start && line.toLowerCase().includes(wanted))
    at = found !== -1 ? found : next === term ? at : lines.length
    term = next
    return true
  }
  return {
    /** The text, and the line found; none before something was typed. */
    state: () => ({ term, found: term === "" ? undefined : lines[at] }),
    /** Does what a key asks for; `false` for one that ends the search. `older` is the letter that, with Ctrl, finds the next older line. */
    take: (text: string | undefined, { ctrl, meta, name }: Key, older: string): boolean => {
      if (ctrl === true && name === older) return find(term, at + 1)
      if (name === "backspace") return find(term.slice(0, -1), 0)
      return text !== undefined && ctrl !== true && meta !== true && /^\P{Cc}+$/u.test(text) && find(term + text, at)
    }
  }
}

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
export const searchKeys = (lines: Interface, prompt: string, searchable: Searchable) => {
  let underWay:
    | { readonly letter: string; readonly search: ReturnType<typeof lineSearch>; readonly before: string }
    | undefined
  return (text: string | undefined, key: Key): boolean => {
    const searched = key.ctrl === true ? SEARCHED[key.name ?? ""] : undefined
    if (underWay === undefined) {
      if (searched === undefined) return true
      underWay = { letter: key.name!, search: lineSearch(searchable[searched]()), before: lines.line }
      redraw(lines, `search ${searched}: `, "")
      return false
    }
    const { before, letter, search } = underWay
    if (search.take(text, key, letter)) {
      const { found, term } = search.state()
      const nothing = term !== "" && found === undefined ? " (nothing)" : ""
      redraw(lines, `search ${SEARCHED[letter]} ${JSON.stringify(term)}${nothing}: `, found ?? "")
      return false
    }
    underWay = undefined
    const isGivenUp = key.ctrl === true && (key.name === "c" || key.name === "g")
    const isOfHistory = SEARCHED[letter] === "history"
    redraw(lines, prompt, isOfHistory && !isGivenUp ? (search.state().found ?? before) : before)
    if (!isOfHistory && key.name === "return") printAbove(lines, () => searchable.showReplies(search.state().term))
    return isOfHistory && !isGivenUp && key.name !== "escape"
  }
}
