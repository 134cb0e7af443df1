/**
 * What is wrong with a datagram and where: made part of the field tree, so that it is shown on the byte it is about.
 */
import type { DecodeError, Message } from "@sourcewire/protocol"
import type { Declaration } from "@sourcewire/protocol/wire"
import type * as Result from "effect/Result"
import type { FieldNode } from "./Anatomy.ts"
import { plural } from "@sourcewire/capture"
import type { Locate } from "./fieldTree.ts"

/** A node to show, and the sentence that it stands for. */
export interface Finding {
  readonly node: FieldNode
  readonly text: string
}

/** The error that ended decoding, or where a truncated message stops. */
export const problems = (
  bytes: Uint8Array,
  result: Result.Result<Message, DecodeError>,
  declaration: Declaration | undefined,
  locate: Locate
): ReadonlyArray<Finding> => {
  if (result._tag === "Failure") {
    const error = result.failure
    const text = `${capital(error.message)}.`
    if (error._tag !== "Malformed") return [finding("error", error._tag, text, locate(bytes.length, 0))]
    const length = error.offset < bytes.length ? 1 : 0
    return [finding("error", `error in ${error.field}`, text, locate(error.offset, length))]
  }
  const message = result.success
  if (!("truncated" in message) || message.truncated !== true) return []
  const list = declaration?.fields.find((element) => element.kind === "list")
  const fields = message as unknown as Readonly<Record<string, unknown>>
  const text =
    list === undefined
      ? "The datagram ends before the message does."
      : `The message announces ${plural(Number(fields[list.count.name]), list.entryName)}, but it ends here after ${plural((fields[list.name] as ReadonlyArray<unknown>).length, `whole ${list.entryName}`)}.`
  return [finding("truncated", "truncated", text, locate(bytes.length, 0))]
}

const finding = (id: string, name: string, text: string, spans: FieldNode["spans"]): Finding => ({
  node: { id: `!${id}`, name, value: text, doc: text, tone: "error", spans, children: [] },
  text
})

const capital = (text: string): string => (/^[a-z]/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text)
