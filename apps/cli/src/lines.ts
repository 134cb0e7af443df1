/** Reads lines of files and standard input: lists of servers, commands, hex. */
import { createReadStream } from "node:fs"

/** Characters of the longest line. 255 fragments of 1400 bytes, in hex with blanks and prefixes, need a quarter of it. */
export const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

/** The bytes of a file (`-`: standard input), in chunks of this size. */
export const readBytes = (file: string, highWaterMark = 64 * 1024): AsyncIterable<Uint8Array> =>
  file === "-" ? process.stdin : createReadStream(file, { highWaterMark })

/**
 * The lines of a stream of bytes, without line ends; `undefined` for a line that is too long to be held. One at a time: all lines of a
 * chunk would outlive collections while servers are asked, and have V8 enlarge the space for young objects.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder()
  let rest = ""
  let isTooLong = false
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = text.indexOf("\n", rest.length); end !== -1; end = text.indexOf("\n", from)) {
      yield isTooLong ? undefined : text.slice(from, end).replace(/\r$/, "")
      isTooLong = false
      from = end + 1
    }
    rest = text.slice(from)
    if (rest.length > MAX_LINE_CHARACTERS) {
      rest = ""
      isTooLong = true
    }
  }
  if (isTooLong || rest !== "") yield isTooLong ? undefined : rest
}

/** Whether a line of standard input is blank or a comment. */
export const isBlankOrComment = (line: string): boolean => /^\s*(#|$)/.test(line)

/** The entry on a line of a list, without blanks and comments; empty if there is none. A comment starts with `#`, also behind an entry. */
export const parseEntry = (line: string): string => line.replace(/(^|\s)#.*$/, "").trim()
