/** Findings about one message, as nodes of the field tree. Each finding is shown at the byte that it refers to. */
import { type FindingKind, diagnoseMessage } from "@sourcewire/diagnosis"
import type { FieldNode } from "./Anatomy.ts"
import type { Locate } from "./fieldTree.ts"

/** A node of the tree, and the text of its finding. */
export interface Problem {
  readonly node: FieldNode
  readonly text: string
}

/**
 * The kinds of findings that show where the decoding of a message ended. The field tree shows only findings of these kinds. The list of
 * findings shows all kinds.
 */
const ENDS: ReadonlySet<FindingKind> = new Set(["malformed", "checksum-mismatch", "limit-exceeded", "list-truncated"])

/** Returns the findings that show where the decoding of a message ended: at an error, or at the end of a truncated list. */
export const problems = (bytes: Uint8Array, locate: Locate): ReadonlyArray<Problem> =>
  diagnoseMessage(bytes)
    .filter(({ kind }) => ENDS.has(kind))
    .map(({ field, kind, places, text }) => {
      const { length, offset } = places.at(-1)!
      const isTruncated = kind === "list-truncated"
      const id = isTruncated ? "!truncated" : "!error"
      const name = isTruncated ? "truncated" : field === undefined ? kind : `error in ${field}`
      const spans = locate(offset, length)
      return { node: { id, name, value: text, doc: text, tone: "error" as const, spans, children: [] }, text }
    })
