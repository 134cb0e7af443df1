/** Where `decode` takes its messages from: arguments, or standard input. Bytes may be written in any spelling that `readText` knows. */
import { isDumpLine, readText } from "@sourcewire/capture"
import { Malformed } from "@sourcewire/protocol"
import { LimitExceeded, isSplit } from "@sourcewire/protocol/machines"

import * as Result from "effect/Result"
import { MAX_LINE_CHARACTERS, isBlankOrComment, linesOf } from "../lines.ts"

export type HexInput = Result.Result<ReadonlyArray<Uint8Array>, Malformed | LimitExceeded>

export const readDatagrams = (text: string): HexInput => {
  const read = readText(text)
  if (read.ok) return Result.succeed(read.datagrams.map(({ bytes }) => bytes))
  const digits = /^[0-9a-f]*/i.exec(text.replaceAll(/0x|\\x|[\s,;:"'`[\]{}()]/gi, ""))![0]
  const offset = Math.floor(digits.length / 2)
  const hex = digits.slice(0, Math.min(64, 2 * offset)).toLowerCase()
  return Result.fail(new Malformed({ message: read.message, messageTag: "Hex", field: "hex", offset, hex }))
}

/** Messages of datagrams that were given one by one: fragments that stand side by side are one message. */
const messagesOf = (inputs: Iterable<HexInput>): ReadonlyArray<HexInput> => {
  const messages: Array<HexInput> = []
  let fragments: Array<Uint8Array> | undefined
  for (const input of inputs) {
    if (Result.isSuccess(input) && input.success.every(isSplit)) {
      if (fragments === undefined) messages.push(Result.succeed((fragments = [])))
      fragments.push(...input.success)
    } else {
      fragments = undefined
      messages.push(input)
    }
  }
  return messages
}

export const fromArguments = (args: ReadonlyArray<string>): ReadonlyArray<HexInput> =>
  messagesOf(args.map(readDatagrams))

const tooLong = () =>
  Result.fail(
    new LimitExceeded({
      message: `a line is longer than ${MAX_LINE_CHARACTERS} characters`,
      limit: "MAX_LINE_CHARACTERS",
      max: MAX_LINE_CHARACTERS
    })
  )

/** The dump that these lines are, each of its datagrams a message. */
const messagesOfDump = (lines: ReadonlyArray<string>): ReadonlyArray<HexInput> => {
  const read = readDatagrams(lines.join("\n"))
  return Result.isFailure(read) ? [read] : messagesOf(read.success.map((bytes) => Result.succeed([bytes])))
}

/** One message per line, or per datagram of a dump; blank lines and comments are skipped. */
export async function* fromLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HexInput> {
  let dump: Array<string> = []
  let dumped = 0
  for await (const line of linesOf(chunks)) {
    if (line !== undefined && isDumpLine(line, dump.length === 0) && dumped + line.length <= MAX_LINE_CHARACTERS) {
      dump.push(line)
      dumped += line.length
      continue
    }
    if (dump.length > 0) yield* messagesOfDump(dump)
    dump = []
    dumped = 0
    if (line === undefined) yield tooLong()
    else if (!isBlankOrComment(line)) yield readDatagrams(line)
  }
  if (dump.length > 0) yield* messagesOfDump(dump)
}
