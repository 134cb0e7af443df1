/** What has the header of a connectionless message and a type that is none of ours. */
import type { Declarations } from "./Declaration.ts"

export const unknown: Declarations = {
  UnknownMessage: {
    valve: "any other message",
    direction: "both",
    doc: "A message of another type: its number and its bytes.",
    sources: "none",
    fields: [
      { kind: "u8", name: "type", doc: "The type byte." },
      { kind: "bytes", name: "payload", size: "rest", doc: "Everything after the type." }
    ]
  }
}
