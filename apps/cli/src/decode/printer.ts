/**
 * Prints decoded messages as JSON or text. The output is buffered, because a capture can contain millions of messages, and a separate write
 * for each message would take too long.
 */
import type { DecodeError } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { reading, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { heading } from "../view/card.ts"
import { fieldTree } from "../view/fieldTree.ts"
import { formatSplit, messageView, messageTitle } from "../view/messageView.ts"
import { plural } from "../view/quantities.ts"
import { type Decoded, type Transfer, toJson } from "./decoded.ts"

/** Maximum number of buffered characters. */
const MAX_HELD = 64 * 1024

export type Printer = ReturnType<typeof makePrinter>

/** Creates a printer, which collects lines and writes them when the current turn of the event loop ends. */
const makePrinter = ({ err, out }: typeof Output.Service) => {
  let held = ""
  let flushing: NodeJS.Immediate | undefined
  const take = (): string => {
    clearImmediate(flushing)
    flushing = undefined
    const taken = held
    held = ""
    return taken
  }
  const flush = (): void => out.writeNow(take())
  return {
    out,
    err,
    flush,
    print: (...lines: ReadonlyArray<string>): void => {
      for (const line of lines) held += `${line}\n`
      flushing ??= setImmediate(flush)
    },
    /** Writes the buffered output, and then prints a line on standard error. */
    complain: (line: string): void => {
      flush()
      err.writeNow(`${line}\n`)
    },
    /** Writes the buffered output if the buffer is full, and waits until the output is written. */
    settle: () => (held.length > MAX_HELD ? Effect.runPromise(out.write(take())) : undefined)
  }
}

/** Prints all values that are read from a file. If a value cannot be read, the values before it are still printed. */
export const printAll = Effect.fnUntraced(function* <A>(
  file: string,
  values: AsyncIterable<A> | Iterable<A>,
  print: (value: A, printer: Printer) => void
) {
  const printer = makePrinter(yield* Output)
  yield* reading(file, async (signal) => {
    try {
      for await (const value of values) {
        if (signal.aborted) return
        print(value, printer)
        const settled = printer.settle()
        if (settled !== undefined) await settled
      }
    } finally {
      printer.flush()
    }
  })
})

/**
 * Returns 1 if the message is malformed, otherwise 0. If the message is malformed, this function also sets the exit code. Call this
 * function before you print the message. If the reader of the output has closed the pipe, the program ends while it prints, with the exit
 * code that is set at that time.
 */
export const countFailure = ({ result }: Decoded): 0 | 1 => (Result.isSuccess(result) ? 0 : recordFailure())

export const printJson = (decoded: Decoded, printer: Printer, way?: Transfer): void =>
  printer.print(jsonLine(toJson(decoded, way)))

export const printView = (decoded: Decoded, printer: Printer, way?: Transfer): void => {
  const { err, out } = printer
  const { bytes, fields, result, split } = decoded
  const size = plural(bytes.length, "byte")
  const aside = split === undefined ? size : `${formatSplit(split)} · ${size}`
  if (way !== undefined) {
    printer.print(out.palette.accent(`${way.time ?? ""} ${way.source} → ${way.destination}`.trim()))
  }
  if (fields !== undefined && fields.length > 0) {
    const title = Result.isSuccess(result) ? messageTitle(result.success) : "Malformed message"
    printer.print(heading(title, aside, out), ...fieldTree(fields, bytes, resultDeclaration(result), out))
  } else if (Result.isSuccess(result)) printer.print(...messageView(result.success, aside, out))
  if (Result.isFailure(result)) printer.complain(failure(result.failure, err.palette.bad))
  printer.print("")
}

/** Finds the wire declaration of the decoded message. If the decoding failed, this function uses the message type that the error names. */
const resultDeclaration = (result: Decoded["result"]) => {
  if (Result.isSuccess(result)) return findDeclaration(result.success._tag)
  return "messageTag" in result.failure ? findDeclaration(result.failure.messageTag) : undefined
}

const failure = (error: DecodeError, paint: (text: string) => string): string =>
  `${paint("✗")} ${error._tag}: ${safe(error.message)}${"hex" in error && error.hex !== "" ? ` (begins ${error.hex})` : ""}`
