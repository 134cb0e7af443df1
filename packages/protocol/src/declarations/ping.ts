/** A2A_PING: checks whether the server replies. */
import type { Declarations } from "./Declaration.ts"

export const ping: Declarations = {
  PingRequest: {
    valve: "A2A_PING",
    direction: "request",
    doc: "Checks whether the server replies. Obsolete, but GoldSource engines support it.",
    sources: "001, 002, 003",
    fields: []
  },
  ProxyAgeRequest: {
    valve: "sourcewire age",
    direction: "request",
    doc: "Requests the ages of the replies that a Sourcewire proxy has stored. The request is a ping with a text after its NUL. A game server treats the request as a ping or ignores it. A proxy replies with a PingReply whose payload contains the ages of INFO, PLAYER and RULES, in ms.",
    sources: "Sourcewire's proxy",
    fields: [
      { kind: "literal", name: "command", text: "i\0sourcewire age", doc: "A ping, a NUL and a text." },
      { kind: "bytes", name: "padding", size: "rest", doc: "NULs, so that the reply is no larger than the request." }
    ]
  },
  PingReply: {
    valve: "A2A_ACK",
    direction: "reply",
    doc: "The reply to a ping.",
    sources: "001 (with and without payload), 002 (five bytes), 003; recordings of HLTV (padded to 1400 bytes)",
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
