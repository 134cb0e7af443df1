/** Formats sentences. On a terminal, sentences are wrapped between words. In a file or a pipe, each sentence is one line. */
import type { Surface } from "./output.ts"
import { displayWidth, safe } from "./text.ts"

/**
 * Distributes words over lines that are at most `columns` wide. The first line begins with `first`, and all other lines begin with
 * `indent`.
 */
export const fillLines = (
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

/**
 * Puts the text `head` before a sentence, and wraps the result into lines that are at most `columns` wide. All lines except the first are
 * indented.
 */
export const wrapSentence = (head: string, sentence: string, columns: number): ReadonlyArray<string> => {
  const [first = "", ...words] = sentence.split(" ")
  return fillLines(head + first, words, columns, "  ")
}

/** Puts the text `head` before a sentence. If the output is a terminal, the sentence is wrapped. */
export const formatSentence = (
  { columns, isTerminal }: Pick<Surface, "columns" | "isTerminal">,
  head: string,
  sentence: string
): string => (isTerminal ? wrapSentence(head, sentence, columns).join("\n") : head + sentence)

export const formatError = (surface: Surface, message: string): string =>
  message
    .split("\n")
    .map((line, i) => formatSentence(surface, i === 0 ? `${surface.palette.bad("sourcewire:")} ` : "", safe(line)))
    .join("\n")
