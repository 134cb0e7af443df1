/** Lines of a stream of bytes: lists of servers, commands, hex. */

/** Characters of the longest line: as hex, 255 fragments of 1400 bytes, each with blanks and prefixes, take a quarter of it. */
export const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

/** The lines of a stream of bytes, without line ends; `undefined` for a line that is too long to be held. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder()
  let rest = ""
  let isTooLong = false
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = parts.pop()!
    for (const part of parts) {
      yield isTooLong ? undefined : part.replace(/\r$/, "")
      isTooLong = false
    }
    if (rest.length > MAX_LINE_CHARACTERS) {
      rest = ""
      isTooLong = true
    }
  }
  if (isTooLong || rest !== "") yield isTooLong ? undefined : rest
}

/** Whether a line of standard input says nothing: blank, or a comment. */
export const isBlankOrComment = (line: string): boolean => /^\s*(#|$)/.test(line)
