/** A connectionless message of an unknown type. */
import type { Declarations } from "./Declaration.ts"

export const unknown: Declarations = {
  UnknownMessage: {
    valve: "any other message",
    direction: "both",
    doc: "A message of an unknown type: its type byte and its payload.",
    sources: "none",
    fields: [
      { kind: "u8", name: "type", doc: "The type byte." },
      { kind: "bytes", name: "payload", size: "rest", doc: "All bytes after the type." }
    ]
  }
}
