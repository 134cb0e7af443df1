/** One decoded message on its way out: as JSON, or with everything in it for people. */
import type { DecodeError } from "@sourcewire/protocol"
import { declarationOf } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { safe } from "../output/text.ts"
import { heading } from "../view/card.ts"
import { fieldTree } from "../view/fieldTree.ts"
import { messageView, titleOf } from "../view/messageView.ts"
import { plural } from "../view/quantities.ts"
import { type Decoded, toJson } from "./decoded.ts"
import type { Printer } from "./printer.ts"

/** How a captured message travelled. */
export interface Way {
  readonly time?: string
  readonly source: string
  readonly destination: string
}

/** Notes a message that is none before it is printed: the reader may go away in the midst of it. Gives 1 for such a one. */
export const failuresOf = ({ result }: Decoded): 0 | 1 => (Result.isSuccess(result) ? 0 : recordFailure())

/** Prints a message as JSON. */
export const printJson = (decoded: Decoded, printer: Printer, way?: Way): void => {
  const { ok, ...rest } = toJson(decoded)
  printer.print(jsonLine({ ok, ...way, ...rest }))
}

/** Prints a message for people. */
export const printView = (decoded: Decoded, printer: Printer, way?: Way): void => {
  const { err, out } = printer
  const { bytes, fields, result } = decoded
  const aside = [splitText(decoded), plural(bytes.length, "byte")].filter((text) => text !== "").join(" · ")
  if (way !== undefined) {
    printer.print(out.palette.accent(`${way.time ?? ""} ${way.source} → ${way.destination}`.trim()))
  }
  if (fields !== undefined && fields.length > 0) {
    const title = Result.isSuccess(result) ? titleOf(result.success) : "Not a whole message"
    printer.print(heading(title, aside, out), ...fieldTree(fields, bytes, declaredOf(result), out))
  } else if (Result.isSuccess(result)) printer.print(...messageView(result.success, aside, out))
  if (Result.isFailure(result)) printer.complain(failure(result.failure, err.palette.bad))
  printer.print("")
}

const splitText = ({ split }: Decoded): string =>
  split === undefined
    ? ""
    : `${plural(split.total, "fragment")}, ${split.layout} layout${split.compressed ? ", bzip2" : ""}`

/** Of the message, or of the one that the bytes failed to be. */
const declaredOf = (result: Decoded["result"]) => {
  if (Result.isSuccess(result)) return declarationOf(result.success._tag)
  return "messageTag" in result.failure ? declarationOf(result.failure.messageTag) : undefined
}

const failure = (error: DecodeError, paint: (text: string) => string): string =>
  `${paint("✗")} ${error._tag}: ${safe(error.message)}${"hex" in error && error.hex !== "" ? ` (begins ${error.hex})` : ""}`
