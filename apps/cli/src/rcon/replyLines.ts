/**
 * A reply's text as it comes, in whole lines that are safe for a terminal, with colours: those that a line brings along, or else by what
 * it looks like. A part may end anywhere, and what makes a line dangerous, or a secret, may stand on both sides of the cut.
 */
import { type Palette, colouredLine, safe } from "../output/text.ts"
import type { Secrecy } from "./secrecy.ts"

type Rule = readonly [shape: RegExp, paint: (parts: ReadonlyArray<string>, palette: Palette) => string]

/** What engines print alike; the first rule that fits counts. The parts of a shape are the whole line. */
const RULES: ReadonlyArray<Rule> = [
  [
    /^(\s*(?:unknown|bad|error|invalid|warning|can't|cannot|couldn't|failed|usage)\b.*)$/i,
    ([all], { warning }) => warning(all!)
  ],
  // A variable: "sv_gravity" = "800" ( def. "600" ), or "sv_gravity" is "800".
  [
    /^(\s*")([^"]+)("\s+(?:=|is)\s+")([^"]*)(".*)$/,
    ([open, name, is, value, rest], { accent, strong }) => open + accent(name!) + is + strong(value!) + rest
  ],
  // Heads of status's table.
  [/^(#\s+(?:userid|name)\b.*)$/, ([all], { strong }) => strong(all!)],
  // A line of status, or of a list of variables: hostname: A server.
  [/^(\s*[\w+][\w .+/-]{0,39}?)(\s*:(?:\s.*)?)$/, ([name, rest], { accent }) => accent(name!) + rest]
]

const byShape = (cell: string, palette: Palette): string => {
  for (const [shape, paint] of RULES) {
    const parts = shape.exec(cell)?.slice(1)
    if (parts !== undefined) return paint(parts, palette)
  }
  return cell
}

/** The line, safe for a terminal; tabs stay. */
const replyLine = (line: string, palette: Palette): string =>
  line
    .split("\t")
    .map((cell) => {
      const shown = colouredLine(cell, palette)
      return shown === safe(cell) ? byShape(shown, palette) : shown
    })
    .join("\t")

/** The lines of one reply, of which it holds the unfinished one; the session caps a reply's length. `onLine` sees each as it came. */
export const replyLines = (secrecy: Secrecy, palette: Palette, onLine?: (line: string) => void) => {
  let rest = ""
  const shown = (line: string): string => {
    const told = secrecy.hide(line.replace(/\r$/, ""))
    onLine?.(told)
    return `${replyLine(told, palette)}\n`
  }
  return {
    /** The lines that are whole now, with their line ends. */
    push: (part: string): string => {
      const lines = (rest + part).split("\n")
      rest = lines.pop()!
      return lines.map(shown).join("")
    },
    /** The last line where it had no end; it is given one. */
    end: (): string => {
      const last = rest
      rest = ""
      return last === "" ? "" : shown(last)
    }
  }
}
