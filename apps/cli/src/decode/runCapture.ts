/** Decodes a capture: the work of `sourcewire decode --pcap`. */
import * as Effect from "effect/Effect"
import { bytesOf } from "../lines.ts"
import { jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { byteSize, plural, some } from "../view/quantities.ts"
import { type CaptureCounts, capturedMessages, isoTime } from "./capture.ts"
import { CaptureList, type Conversation, type Taken } from "./captureList.ts"
import { LIST, type DecodeSettings } from "./command.ts"
import type { Way } from "./decoded.ts"
import { type Printer, failuresOf, printAll, printJson, printView } from "./printer.ts"

const CHUNK_BYTES = 256 * 1024

const wayOf = ({ from, timeNs, to }: Taken): Way => ({ time: isoTime(timeNs), source: from, destination: to })

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

const printBy = (settings: DecodeSettings, list: CaptureList): ((taken: Taken, printer: Printer) => void) => {
  if (settings.conversation === LIST) return () => {}
  if (settings.json) return (taken, printer) => printJson(taken.decoded, printer, wayOf(taken))
  if (settings.tree) return (taken, printer) => printView(taken.decoded, printer, wayOf(taken))
  return (taken, printer) => printer.print(list.line(taken, printer.out))
}

const summaryOf = (shown: number, { foreign, incomplete, notUdp, packets }: CaptureCounts): string =>
  some(
    `${plural(shown, "message")} in ${plural(packets, "packet")}`,
    foreign > 0 && `${foreign} of other protocols over UDP`,
    notUdp > 0 && `${notUdp} not UDP or parts of fragmented packets`,
    incomplete > 0 && `${incomplete} of split replies that stayed incomplete`
  ).join(", ")

/** Prints what of a capture is wanted; gives how many of those messages could not be read. */
export const runCapture = Effect.fnUntraced(function* (file: string, settings: DecodeSettings) {
  const { err, out } = yield* Output
  const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
  const list = new CaptureList(settings)
  const print = printBy(settings, list)
  let shown = 0
  let failures = 0
  yield* printAll(
    file,
    capturedMessages(bytesOf(file, CHUNK_BYTES), { encoding: settings.encoding, fields: settings.tree }, counts),
    (message, printer) => {
      const taken = list.take(message)
      if (taken === undefined) return
      shown++
      failures += failuresOf(taken.decoded)
      print(taken, printer)
    }
  )
  if (settings.conversation === LIST) {
    yield* out.line(...(settings.json ? list.conversations.map(conversationJson) : conversationLines(list, out)))
  }
  yield* err.line(summaryOf(shown, counts))
  return failures
})
