/** A2A_PING: are you there. */
import type { Declarations } from "./Declaration.ts"

export const ping: Declarations = {
  PingRequest: {
    valve: "A2A_PING",
    direction: "request",
    doc: "Asks for a sign of life. Obsolete, but GoldSource engines answer it.",
    sources: "001, 002, 003",
    fields: []
  },
  PingReply: {
    valve: "A2A_ACK",
    direction: "reply",
    doc: "The sign of life.",
    sources: "001 (with and without payload), 002 (five bytes), 003; padded to 1400 bytes: recordings of HLTV",
    fields: [
      {
        kind: "text",
        name: "payload",
        unterminated: "fine",
        doc: "Empty on GoldSource, `00000000000000` on Source."
      }
    ]
  }
}
