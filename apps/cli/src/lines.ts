/** Reads the lines of files and of standard input. The lines contain, for example, addresses of servers, commands or hex. */
import { createReadStream } from "node:fs"

/**
 * Maximum length of a line, in characters. The longest useful line is about a quarter of this length: 255 fragments of 1400 bytes, as hex
 * with spaces and prefixes.
 */
export const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

/** Reads the bytes of a file in chunks of at most `highWaterMark` bytes. The file name `-` means standard input. */
export const readBytes = (file: string, highWaterMark = 64 * 1024): AsyncIterable<Uint8Array> =>
  file === "-" ? process.stdin : createReadStream(file, { highWaterMark })

/**
 * Yields the lines of a stream of bytes, without line ends. Yields `undefined` in place of a line that is too long. Each line is created
 * only when the caller requests the line. If all lines of a chunk were created in advance, V8 would enlarge its young generation, and the
 * process would need more memory.
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

export const isBlankOrComment = (line: string): boolean => /^\s*(#|$)/.test(line)

/**
 * Returns the entry on a line of a list, without the spaces around the entry and without the comment. If the line has no entry, the result
 * is empty. A comment starts with `#`, at the beginning of the line or after a space.
 */
export const parseEntry = (line: string): string => line.replace(/(^|\s)#.*$/, "").trim()
