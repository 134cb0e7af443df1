/**
 * Handles the keys that search the typed lines (Ctrl-R) and the replies (Ctrl-F). During a search, the search term is shown in place of the
 * prompt, and the found line is shown in place of the typed line.
 */
import type { Interface, Key } from "node:readline"

/**
 * Searches a list of lines, which begins with the newest line. Each typed character extends the search term. This function does not access
 * the terminal.
 */
const lineSearch = (lines: ReadonlyArray<string>) => {
  let at = 0
  let term = ""
  /**
   * Searches for the term `next`, and selects the first line at or after the index `start` that contains this term. If no such line exists,
   * the result depends on the previous term. If `next` is equal to the previous term, the selection does not change, otherwise no line is
   * selected.
   */
  const find = (next: string, start: number): true => {
    const wanted = next.toLowerCase()
    const found = lines.findIndex((line, i) => i >= start && line.toLowerCase().includes(wanted))
    at = found !== -1 ? found : next === term ? at : lines.length
    term = next
    return true
  }
  return {
    /** The term, and the selected line. Until the user has typed a term, no line is selected. */
    state: () => ({ term, found: term === "" ? undefined : lines[at] }),
    /**
     * Handles a key, and returns `false` if the key ends the search. If the key is Ctrl with the letter `older`, the next older line with
     * the term is selected.
     */
    take: (text: string | undefined, { ctrl, meta, name }: Key, older: string): boolean => {
      if (ctrl === true && name === older) return find(term, at + 1)
      if (name === "backspace") return find(term.slice(0, -1), 0)
      return text !== undefined && ctrl !== true && meta !== true && /^\P{Cc}+$/u.test(text) && find(term + text, at)
    }
  }
}

/** The lines that can be searched, newest first. */
export interface Searchable {
  readonly history: () => ReadonlyArray<string>
  readonly replies: () => ReadonlyArray<string>
  /** Shows the replies that contain a text. Called if the user presses Enter in a search of replies. */
  readonly showReplies: (text: string) => void
}

/** The lists that can be searched. The keys of this record are the letters that the user presses with Ctrl. */
const SEARCHED: Readonly<Record<string, "history" | "replies">> = { r: "history", f: "replies" }

/** Shows the given prompt and the given line, in place of the current prompt and the typed line. */
export const redraw = (lines: Interface, prompt: string, line: string): void => {
  lines.setPrompt(prompt)
  lines.write(null, { ctrl: true, name: "e" })
  lines.write(null, { ctrl: true, name: "u" })
  lines.write(line)
  lines.prompt(true)
}

/** Prints text above the prompt, and shows the prompt again. */
export const printAbove = (lines: Interface, print: () => void): void => {
  process.stderr.write("\r\u001b[J")
  print()
  lines.prompt(true)
}

/**
 * Handles the keys that start a search, and all keys during a search. The function returns whether `readline` should handle the key, too.
 */
export const searchKeys = (lines: Interface, prompt: string, searchable: Searchable) => {
  let activeSearch:
    | { readonly letter: string; readonly search: ReturnType<typeof lineSearch>; readonly before: string }
    | undefined
  return (text: string | undefined, key: Key): boolean => {
    const searched = key.ctrl === true ? SEARCHED[key.name ?? ""] : undefined
    if (activeSearch === undefined) {
      if (searched === undefined) return true
      activeSearch = { letter: key.name!, search: lineSearch(searchable[searched]()), before: lines.line }
      redraw(lines, `search ${searched}: `, "")
      return false
    }
    const { before, letter, search } = activeSearch
    if (search.take(text, key, letter)) {
      const { found, term } = search.state()
      const nothing = term !== "" && found === undefined ? " (nothing)" : ""
      redraw(lines, `search ${SEARCHED[letter]} ${JSON.stringify(term)}${nothing}: `, found ?? "")
      return false
    }
    activeSearch = undefined
    const isGivenUp = key.ctrl === true && (key.name === "c" || key.name === "g")
    const isHistory = SEARCHED[letter] === "history"
    redraw(lines, prompt, isHistory && !isGivenUp ? (search.state().found ?? before) : before)
    if (!isHistory && key.name === "return") printAbove(lines, () => searchable.showReplies(search.state().term))
    return isHistory && !isGivenUp && key.name !== "escape"
  }
}
