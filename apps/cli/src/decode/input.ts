/** Reads the input of `decode` from arguments or standard input, in any notation that `readText` supports. */
import { isDumpLine, readText } from "@sourcewire/capture"
import { Malformed } from "@sourcewire/protocol"
import { LimitExceeded, isSplit } from "@sourcewire/protocol/wire"

import * as Result from "effect/Result"
import { MAX_LINE_CHARACTERS, isBlankOrComment, splitLines } from "../lines.ts"

export type HexInput = Result.Result<ReadonlyArray<Uint8Array>, Malformed | LimitExceeded>

export const readDatagrams = (text: string): HexInput => {
  const read = readText(text)
  if (read.ok) return Result.succeed(read.datagrams.map(({ bytes }) => bytes))
  const digits = /^[0-9a-f]*/i.exec(text.replaceAll(/0x|\\x|[\s,;:"'`[\]{}()]/gi, ""))![0]
  const offset = Math.floor(digits.length / 2)
  const hex = digits.slice(0, Math.min(64, 2 * offset)).toLowerCase()
  return Result.fail(new Malformed({ message: read.message, messageTag: "Hex", field: "hex", offset, hex }))
}

/** Joins consecutive fragments into one message. */
const joinFragments = (inputs: Iterable<HexInput>): ReadonlyArray<HexInput> => {
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

/**
 * Matches hex of up to four bytes, which is only a part of a datagram. For example, if the user types `FF FF FF FF 41` without quotes, the
 * shell passes five arguments of one byte each.
 */
const PIECE = /^(?:0x|\\x)?[\da-f]{1,8}[,;:]?$/i

export const fromArguments = (args: ReadonlyArray<string>): ReadonlyArray<HexInput> =>
  args.every((arg) => PIECE.test(arg)) ? [readDatagrams(args.join(" "))] : joinFragments(args.map(readDatagrams))

const tooLong = () =>
  Result.fail(
    new LimitExceeded({
      message: `a line is longer than ${MAX_LINE_CHARACTERS} characters`,
      limit: "MAX_LINE_CHARACTERS",
      max: MAX_LINE_CHARACTERS
    })
  )

const tooMuch = () =>
  Result.fail(
    new LimitExceeded({
      message: `standard input has more than ${MAX_RAW_BYTES} bytes, so it is not a datagram; for a capture, use --pcap -`,
      limit: "MAX_RAW_BYTES",
      max: MAX_RAW_BYTES
    })
  )

/** Reads the messages of a hex dump, and joins consecutive fragments. */
const readDump = (lines: ReadonlyArray<string>): ReadonlyArray<HexInput> => {
  const read = readDatagrams(lines.join("\n"))
  return Result.isFailure(read) ? [read] : joinFragments(read.success.map((bytes) => Result.succeed([bytes])))
}

/**
 * Whether the bytes are a raw datagram and not hex text. Hex text begins with an ASCII character or a byte order mark, and contains no NUL.
 */
const isRaw = (bytes: Uint8Array): boolean =>
  (bytes[0]! >= 0x80 && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) || bytes.includes(0)

/** Maximum size of raw input, in bytes. A UDP datagram is always smaller. */
const MAX_RAW_BYTES = 65_536

async function* prepended(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** Reads standard input: either one raw datagram, or lines of text (see {@link fromLines}). */
export async function* fromBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HexInput> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return
  const all = prepended(first.value, iterator)
  if (!isRaw(first.value)) return yield* fromLines(all)
  let bytes = new Uint8Array()
  for await (const chunk of all) {
    bytes = new Uint8Array([...bytes, ...chunk])
    if (bytes.length > MAX_RAW_BYTES) return yield tooMuch()
  }
  yield Result.succeed([bytes])
}

/**
 * Reads the messages in lines of text. Each line contains one message, except in a hex dump: a datagram of a hex dump can occupy several
 * lines. Blank lines and comments are skipped.
 */
export async function* fromLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HexInput> {
  let dump: Array<string> = []
  let dumped = 0
  for await (const line of splitLines(chunks)) {
    if (line !== undefined && isDumpLine(line, dump.length === 0) && dumped + line.length <= MAX_LINE_CHARACTERS) {
      dump.push(line)
      dumped += line.length
      continue
    }
    if (dump.length > 0) yield* readDump(dump)
    dump = []
    dumped = 0
    if (line === undefined) yield tooLong()
    else if (!isBlankOrComment(line)) yield readDatagrams(line)
  }
  if (dump.length > 0) yield* readDump(dump)
}
