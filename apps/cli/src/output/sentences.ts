/** Sentences for people: on a terminal in lines that end at words, elsewhere in one, as programs read it. */
import type { Surface } from "./output.ts"
import { displayWidth, safe } from "./text.ts"

/** Words in lines of at most so many columns where they allow it: `first` begins the first line, `indent` each further one. */
export const filled = (
  first: string,
  words: ReadonlyArray<string>,
  columns: number,
  indent: string
): ReadonlyArray<string> => {
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (displayWidth(longer) <= columns) lines.splice(-1, 1, longer)
    else lines.push(indent + word)
  }
  return lines
}

/** A sentence behind a head, in lines of at most so many columns where its words allow it; lines after the first are indented. */
export const flow = (head: string, sentence: string, columns: number): ReadonlyArray<string> => {
  const [first = "", ...words] = sentence.split(" ")
  return filled(head + first, words, columns, "  ")
}

/** A sentence behind a head, as the surface has it. */
export const told = (
  { columns, isTerminal }: Pick<Surface, "columns" | "isTerminal">,
  head: string,
  sentence: string
): string => (isTerminal ? flow(head, sentence, columns).join("\n") : head + sentence)

export const complaint = (surface: Surface, message: string): string =>
  message
    .split("\n")
    .map((line, i) => told(surface, i === 0 ? `${surface.palette.bad("sourcewire:")} ` : "", safe(line)))
    .join("\n")
