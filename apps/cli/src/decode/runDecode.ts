/** Runs `sourcewire decode`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Reported, UsageError } from "../exitCode.ts"
import { type Decoded, decodeDatagrams } from "./decoded.ts"
import { fromArguments, fromBytes } from "./input.ts"
import { Output } from "../output/output.ts"
import { countFailure, printAll, printJson, printView } from "./printer.ts"
import type { DecodeSettings } from "./flags.ts"

const NOTHING = new Uint8Array()

const readInputs = Effect.fnUntraced(function* ({ hex }: DecodeSettings) {
  if (hex.length > 0) return fromArguments(hex)
  if (!process.stdin.isTTY) return fromBytes(process.stdin)
  return yield* new UsageError(
    "Nothing to decode. Give hex as arguments, pipe lines or a raw datagram, or name a capture with --pcap."
  )
})

const decodeHex = Effect.fnUntraced(function* (settings: DecodeSettings) {
  const { out } = yield* Output
  const explanation = settings.explain
    ? new (yield* Effect.promise(() => import("./explain.ts"))).Explanation("datagram")
    : undefined
  const print = explanation !== undefined ? () => {} : settings.json ? printJson : printView
  let failures = 0
  yield* printAll("-", yield* readInputs(settings), (input, printer) => {
    const decoded: Decoded = Result.isFailure(input)
      ? { result: Result.fail(input.failure), bytes: NOTHING }
      : decodeDatagrams(input.success, { encoding: settings.encoding, fields: settings.tree })
    failures += countFailure(decoded)
    if (explanation !== undefined && Result.isFailure(input)) printView(decoded, printer)
    if (explanation !== undefined && Result.isSuccess(input)) for (const one of input.success) explanation.addBytes(one)
    print(decoded, printer)
  })
  if (explanation !== undefined) yield* out.line(...explanation.lines(settings.json, [], undefined, out))
  return failures
})

/** Whether the flags select only some messages of a capture. */
const isNarrowed = ({ conversation, errors, server, text, type }: DecodeSettings): boolean =>
  errors || [conversation, server, text, type].some((one) => one !== undefined)

export const runDecode = Effect.fnUntraced(function* (settings: DecodeSettings) {
  const { hex, pcap } = settings
  if (pcap !== undefined && hex.length > 0) {
    return yield* new UsageError("Hex and --pcap cannot be combined. Give one of them.")
  }
  if (pcap === undefined && isNarrowed(settings)) {
    return yield* new UsageError("--server, --type, --errors, --text and --conversation require --pcap.")
  }
  const { errors, explain, text, tree, type } = settings
  if (
    explain &&
    (errors || tree || [text, type].some((one) => one !== undefined) || settings.conversation === "list")
  ) {
    return yield* new UsageError(
      "--explain cannot be combined with --tree, --errors, --type, --text or --conversation without a number. Use --server or --conversation N."
    )
  }
  const failures =
    pcap !== undefined
      ? yield* (yield* Effect.promise(() => import("./runCapture.ts"))).runCapture(pcap, settings)
      : yield* decodeHex(settings)
  if (failures > 0) return yield* new Reported()
})
