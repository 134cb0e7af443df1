/**
 * Where `decode` takes its lines from: arguments, or standard input.
 *
 * @module
 */
import { isSplit, LimitExceeded } from "@sourcewire/protocol"
import type { Malformed } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { isBlankOrComment, parseHexLine } from "./hexLine.ts"

/** The datagrams of one message as they were given. */
export type HexInput = Result.Result<ReadonlyArray<Uint8Array>, Malformed | LimitExceeded>

/** Characters of the longest line: 255 fragments of 1400 bytes, each with blanks and prefixes, take a quarter of it. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

/** One message per argument; fragments that stand side by side are one message. */
export const fromArguments = (args: ReadonlyArray<string>): ReadonlyArray<HexInput> => {
  const inputs: Array<HexInput> = []
  let fragments: Array<Uint8Array> | undefined
  for (const arg of args) {
    const parsed = parseHexLine(arg)
    if (Result.isSuccess(parsed) && parsed.success.every(isSplit)) {
      if (fragments === undefined) inputs.push(Result.succeed((fragments = [])))
      fragments.push(...parsed.success)
    } else {
      fragments = undefined
      inputs.push(parsed)
    }
  }
  return inputs
}

const tooLong = () =>
  Result.fail(
    new LimitExceeded({
      message: `a line is longer than ${MAX_LINE_CHARACTERS} characters`,
      limit: "MAX_LINE_CHARACTERS",
      max: MAX_LINE_CHARACTERS
    })
  )

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

/** One message per line; blank lines and comments are skipped. */
export async function* fromLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HexInput> {
  for await (const line of linesOf(chunks)) {
    if (line === undefined) yield tooLong()
    else if (!isBlankOrComment(line)) yield parseHexLine(line)
  }
}
