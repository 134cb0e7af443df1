/** Runs `sourcewire decode --pcap`: decodes a capture. */
import { declarations } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import { didYouMean, nearest } from "../commandLine/suggest.ts"
import { UsageError, displayFileName } from "../exitCode.ts"
import { readBytes } from "../lines.ts"
import { jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { byteSize, plural, some } from "../view/quantities.ts"
import { type CaptureCounts, capturedMessages } from "./capture.ts"
import { isoTime } from "./isoTime.ts"
import { CaptureList, type Conversation, type Taken } from "./captureList.ts"
import type { DecodeSettings } from "./flags.ts"
import type { Transfer } from "./decoded.ts"
import { type Printer, countFailure, printAll, printJson, printView } from "./printer.ts"

/** The names of all message types. Each type has two names, Valve's and Sourcewire's, for example `S2A_INFO_SRC` and `InfoReply`. */
const messageTypes = declarations.flatMap(({ tag, valve }) => [valve, tag])

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const timeMs = (timeNs: bigint | undefined): number | undefined =>
  timeNs === undefined ? undefined : Number(timeNs) / 1e6

const CHUNK_BYTES = 256 * 1024

const describeTransfer = ({ from, timeNs, to }: Taken): Transfer => ({
  time: isoTime(timeNs),
  source: from,
  destination: to
})

const conversationLines = (list: CaptureList, out: Surface): ReadonlyArray<string> => {
  const columns: ReadonlyArray<Column<Conversation>> = [
    right("#", ({ number }) => String(number)),
    right("begins", ({ beginNs }) => list.seconds(beginNs)),
    right("ends", ({ endNs }) => list.seconds(endNs)),
    left("between", ({ ends }) => ends[0]),
    left("and", ({ ends }) => ends[1], { flexible: true }),
    right("messages", ({ messages }) => String(messages)),
    right("size", ({ bytes }) => byteSize(bytes)),
    right("errors", ({ errors }, { bad }) => (errors === 0 ? "" : { text: String(errors), paint: bad }))
  ]
  return table(columns, list.conversations, out.isTerminal ? out : { ...out, columns: Infinity })
}

const conversationJson = ({ beginNs, endNs, number, ...rest }: Conversation): string =>
  jsonLine({ conversation: number, ...rest, begin: isoTime(beginNs), end: isoTime(endNs) })

const choosePrint = (settings: DecodeSettings, list: CaptureList): ((taken: Taken, printer: Printer) => void) => {
  if (settings.conversation === "list" || settings.explain) return () => {}
  if (settings.json) return (taken, printer) => printJson(taken.decoded, printer, describeTransfer(taken))
  if (settings.tree) return (taken, printer) => printView(taken.decoded, printer, describeTransfer(taken))
  return (taken, printer) => printer.print(list.line(taken, printer.out))
}

const formatSummary = (shown: number, { foreign, incomplete, notUdp, packets }: CaptureCounts): string =>
  some(
    `${plural(shown, "message")} in ${plural(packets, "packet")}`,
    foreign > 0 && `${foreign} of other protocols over UDP`,
    notUdp > 0 && `${notUdp} not UDP or parts of fragmented packets`,
    incomplete > 0 && `${plural(incomplete, "fragment")} of incomplete split replies`
  ).join(", ")

/** Prints the selected messages of a capture. Returns the number of malformed messages among the selected messages. */
export const runCapture = Effect.fnUntraced(function* (file: string, settings: DecodeSettings) {
  const { notes, out } = yield* Output
  if (settings.type !== undefined && !messageTypes.some((name) => isSameName(name, settings.type!))) {
    const like = nearest(settings.type, messageTypes)
    return yield* new UsageError(
      `--type "${settings.type}" is not a type of message.${didYouMean(like) || " Write it as in S2A_INFO_SRC or InfoReply."}`
    )
  }
  const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
  const list = new CaptureList(settings)
  const print = choosePrint(settings, list)
  const explanation = settings.explain
    ? new (yield* Effect.promise(() => import("./explain.ts"))).Explanation("packet")
    : undefined
  let shown = 0
  let failures = 0
  yield* printAll(
    file,
    capturedMessages(
      readBytes(file, CHUNK_BYTES),
      { encoding: settings.encoding, fields: settings.tree, showPasswords: settings.showPasswords },
      counts,
      explanation === undefined
        ? undefined
        : (datagram) => explanation.add({ ...datagram, number: datagram.packet, timeMs: timeMs(datagram.timeNs) })
    ),
    (message, printer) => {
      const taken = list.take(message)
      if (taken === undefined) return
      shown++
      failures += countFailure(taken.decoded)
      print(taken, printer)
    }
  )
  if (typeof settings.conversation === "number" && settings.conversation > list.conversationCount) {
    return yield* new UsageError(
      `--conversation ${settings.conversation} is not in ${displayFileName(file)}, which contains ${plural(list.conversationCount, "conversation")}.`
    )
  }
  if (settings.conversation === "list") {
    yield* out.line(...(settings.json ? list.conversations.map(conversationJson) : conversationLines(list, out)))
  }
  if (explanation !== undefined) {
    const one = list.conversations.find(({ number }) => number === settings.conversation)
    const ends = [...(settings.server === undefined ? [] : [settings.server]), ...(one?.ends ?? [])]
    yield* out.line(...explanation.lines(settings.json, ends, counts.refused, out))
    if (explanation.dropped > 0) {
      yield* notes.line(
        `The capture is too large: ${plural(explanation.dropped, "datagram")} at its end were not explained. Select a server with tcpdump or Wireshark first.`
      )
    }
  }
  yield* notes.line(formatSummary(shown, counts))
  return failures
})
