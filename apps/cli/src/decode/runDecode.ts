/** Does what `sourcewire decode` asks for. */
import { InvalidCapture } from "@sourcewire/capture"
import type { DecodeError } from "@sourcewire/protocol"
import { declarationOf } from "@sourcewire/protocol/machines"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { createReadStream } from "node:fs"
import { ExitCode, ProgramError, Reported, UsageError, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { fieldTree } from "../view/fieldTree.ts"
import { messageView, titleOf } from "../view/messageView.ts"
import { heading } from "../view/card.ts"
import { plural } from "../view/quantities.ts"
import { type CaptureCounts, capturedMessages } from "./capture.ts"
import { type Decoded, decodeDatagrams, toJson } from "./decoded.ts"
import { type HexInput, fromArguments, fromLines } from "./input.ts"
import type { DecodeSettings } from "./command.ts"

const NOTHING = new Uint8Array()

const splitText = ({ split }: Decoded): string =>
  split === undefined
    ? ""
    : `${plural(split.total, "fragment")}, ${split.layout} layout${split.compressed ? ", bzip2" : ""}`

/** Prints one message; gives 1 where there was none. */
const print = Effect.fnUntraced(function* (
  decoded: Decoded,
  settings: DecodeSettings,
  way: { readonly time?: string; readonly source: string; readonly destination: string } | undefined
) {
  const { err, out } = yield* Output
  const { bytes, fields, result } = decoded
  // Before it is printed: the reader may go away in the midst of it.
  const failures = Result.isSuccess(result) ? 0 : recordFailure()
  if (settings.json) {
    const { ok, ...rest } = toJson(decoded)
    yield* out.line(jsonLine({ ok, ...way, ...rest }))
    return failures
  }
  const canvas = { width: out.columns, palette: out.palette }
  const route = way === undefined ? "" : `${way.time ?? ""} ${way.source} → ${way.destination}`.trim()
  const aside = [splitText(decoded), plural(bytes.length, "byte")].filter((text) => text !== "").join(" · ")
  if (way !== undefined) yield* out.line(out.palette.accent(route))
  if (fields !== undefined && fields.length > 0) {
    const title = Result.isSuccess(result) ? titleOf(result.success) : "Not a whole message"
    yield* out.line(heading(title, aside, canvas), ...fieldTree(fields, bytes, declaredOf(result), canvas))
  } else if (Result.isSuccess(result)) yield* out.line(...messageView(result.success, aside, canvas))
  if (Result.isFailure(result)) yield* err.line(failure(result.failure, err.palette.bad))
  yield* out.line("")
  return failures
})

/** Of the message, or of the one that the bytes failed to be. */
const declaredOf = (result: Decoded["result"]) => {
  if (Result.isSuccess(result)) return declarationOf(result.success._tag)
  return "messageTag" in result.failure ? declarationOf(result.failure.messageTag) : undefined
}

const failure = (error: DecodeError, paint: (text: string) => string): string =>
  `${paint("✗")} ${error._tag}: ${safe(error.message)}${"hex" in error && error.hex !== "" ? ` (begins ${error.hex})` : ""}`

const decodeInput = (input: HexInput, settings: DecodeSettings): Decoded =>
  Result.isFailure(input)
    ? { result: Result.fail(input.failure), bytes: NOTHING }
    : decodeDatagrams(input.success, { encoding: settings.encoding, fields: settings.tree })

const inputsOf = (settings: DecodeSettings): Effect.Effect<AsyncIterable<HexInput> | Iterable<HexInput>, UsageError> =>
  settings.hex.length > 0
    ? Effect.succeed(fromArguments(settings.hex))
    : process.stdin.isTTY
      ? Effect.fail(
          new UsageError({
            message: "There is nothing to decode. Give hex as arguments, pipe lines, or name a file with --pcap."
          })
        )
      : Effect.succeed(fromLines(process.stdin))

/** Handles one value after another, and gives the sum of what that gave. */
const sumOver = Effect.fnUntraced(function* <A>(
  values: AsyncIterable<A> | Iterable<A>,
  handle: (value: A) => Effect.Effect<number, never, Output>,
  failed: (cause: unknown) => ProgramError
) {
  const iterator = Symbol.iterator in values ? values[Symbol.iterator]() : values[Symbol.asyncIterator]()
  let sum = 0
  while (true) {
    const { done, value } = yield* Effect.tryPromise({ try: async () => iterator.next(), catch: failed })
    if (done === true) return sum
    sum += yield* handle(value)
  }
})

const decodeHex = Effect.fnUntraced(function* (settings: DecodeSettings) {
  return yield* sumOver(
    yield* inputsOf(settings),
    (input) => print(decodeInput(input, settings), settings, undefined),
    (cause) => new ProgramError({ message: `Cannot read standard input: ${cause}` })
  )
})

const captureFailed = (file: string) => (cause: unknown) => {
  const why = cause instanceof InvalidCapture ? cause.message : (cause as Error).message
  return new ProgramError({ message: `Cannot read ${file === "-" ? "standard input" : file}: ${why}.` })
}

const decodeCapture = Effect.fnUntraced(function* (file: string, settings: DecodeSettings) {
  const { err } = yield* Output
  const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
  const chunks = file === "-" ? process.stdin : createReadStream(file)
  const messages = capturedMessages(chunks, { encoding: settings.encoding, fields: settings.tree }, counts)
  let shown = 0
  const failures = yield* sumOver(
    messages,
    ({ decoded, ...way }) => {
      shown++
      return print(decoded, settings, way)
    },
    captureFailed(file)
  )
  yield* err.line(captureSummary(shown, counts))
  return failures
})

const captureSummary = (shown: number, { foreign, incomplete, notUdp, packets }: CaptureCounts): string =>
  [
    `${plural(shown, "message")} in ${plural(packets, "packet")}`,
    ...(foreign > 0 ? [`${foreign} of other protocols over UDP`] : []),
    ...(notUdp > 0 ? [`${notUdp} not UDP or parts of fragmented packets`] : []),
    ...(incomplete > 0 ? [`${incomplete} of split replies that stayed incomplete`] : [])
  ].join(", ")

/** Runs the command. */
export const runDecode = Effect.fnUntraced(function* (settings: DecodeSettings) {
  if (Option.isSome(settings.pcap) && settings.hex.length > 0) {
    return yield* new UsageError({ message: "Give either hex or --pcap, not both." })
  }
  const failures = yield* Option.isSome(settings.pcap)
    ? decodeCapture(settings.pcap.value, settings)
    : decodeHex(settings)
  if (failures > 0) return yield* new Reported({ exitCode: ExitCode.Failure })
})
