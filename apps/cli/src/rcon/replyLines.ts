/**
 * Splits the text of a reply into complete lines that are safe for a terminal. If a line contains colour codes, it is shown in the colours
 * of these codes. Otherwise, patterns such as `name: value` determine its colours. A reply arrives in parts, and a part can end in the
 * middle of an escape sequence or a secret. Therefore only complete lines are printed.
 */
import { type Palette, colouredLine, safe } from "../output/text.ts"
import type { Secrecy } from "./secrecy.ts"

type Rule = readonly [shape: RegExp, paint: (parts: ReadonlyArray<string>, palette: Palette) => string]

/**
 * Each rule consists of a pattern and a function. If a text matches the pattern, the function colours the text. If a text matches several
 * patterns, the first matching rule is used. The groups of a pattern must cover the whole text, because the function receives only the
 * groups and returns the coloured text.
 */
const RULES: ReadonlyArray<Rule> = [
  [
    /^(\s*(?:unknown|bad|error|invalid|warning|can't|cannot|couldn't|failed|usage)\b.*)$/i,
    ([all], { warning }) => warning(all!)
  ],
  // The value of a variable, such as `"sv_gravity" = "800" ( def. "600" )` or `"sv_gravity" is "800"`.
  [
    /^(\s*")([^"]+)("\s+(?:=|is)\s+")([^"]*)(".*)$/,
    ([open, name, is, value, rest], { accent, strong }) => open + accent(name!) + is + strong(value!) + rest
  ],
  // The header of the table of players in the reply to `status`.
  [/^(#\s+(?:userid|name)\b.*)$/, ([all], { strong }) => strong(all!)],
  // A name and a value with a colon between them, such as `hostname: A server` in the reply to `status`, and `sv_gravity : 800` in the
  // reply to `cvarlist`.
  [/^(\s*[\w+][\w .+/-]{0,39}?)(\s*:(?:\s.*)?)$/, ([name, rest], { accent }) => accent(name!) + rest]
]

const byShape = (cell: string, palette: Palette): string => {
  for (const [shape, paint] of RULES) {
    const parts = shape.exec(cell)?.slice(1)
    if (parts !== undefined) return paint(parts, palette)
  }
  return cell
}

/**
 * Colours a line, and makes it safe for a terminal. The tabs of the line are kept, and the texts between the tabs are coloured separately.
 */
const replyLine = (line: string, palette: Palette): string =>
  line
    .split("\t")
    .map((cell) => {
      const shown = colouredLine(cell, palette)
      return shown === safe(cell) ? byShape(shown, palette) : shown
    })
    .join("\t")

/**
 * Splits a reply into lines. If a part of the reply ends in the middle of a line, the beginning of this line is stored until the next part
 * arrives. Its length is limited, because the session limits the length of a reply. `onLine` is called with each line after the password is
 * masked, and before the line is coloured.
 */
export const replyLines = (secrecy: Secrecy, palette: Palette, onLine?: (line: string) => void) => {
  let rest = ""
  const shown = (line: string): string => {
    const hidden = secrecy.hide(line.replace(/\r$/, ""))
    onLine?.(hidden)
    return `${replyLine(hidden, palette)}\n`
  }
  return {
    /** Adds a part of the reply. Returns the lines that this part completes, with their line ends. */
    push: (part: string): string => {
      const lines = (rest + part).split("\n")
      rest = lines.pop()!
      return lines.map(shown).join("")
    },
    /**
     * Ends the reply. If the last line of the reply has no line end, the method returns this line with a line end. Otherwise, the method
     * returns an empty text.
     */
    end: (): string => {
      const last = rest
      rest = ""
      return last === "" ? "" : shown(last)
    }
  }
}
