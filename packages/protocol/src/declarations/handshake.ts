/** The connectionless part of joining a Source server. */
import { HANDSHAKE_MAGIC } from "../Wire.ts"
import type { Declarations } from "./Declaration.ts"

export const handshake: Declarations = {
  HandshakeRequest: {
    valve: "A2S_GETCHALLENGE",
    direction: "request",
    doc: "Begins to join a Source server.",
    sources: "004",
    fields: [
      { kind: "i32", name: "challenge", doc: "Any number; the server sends it back." },
      { kind: "text", name: "payload", unterminated: "fine", doc: "`0000000000` in the document." }
    ]
  },
  HandshakeChallenge: {
    valve: "S2C_CHALLENGE (handshake)",
    direction: "reply",
    doc: "Answers a handshake request. Shares its type byte with S2C_CHALLENGE; the magic tells them apart.",
    sources: "004",
    fields: [
      { kind: "literal", name: "magic", text: HANDSHAKE_MAGIC, doc: "0x5A4F4933." },
      { kind: "i32", name: "serverChallenge", doc: "A new challenge from the server." },
      { kind: "i32", name: "clientChallenge", doc: "The number of the request." },
      { kind: "i32", name: "authProtocol", doc: "How users are authenticated: 3 is Steam." },
      { kind: "u16", name: "encryptionKeySize", doc: "Bytes of the key that follows; should be 0." },
      { kind: "bytes", name: "encryptionKey", size: { field: "encryptionKeySize" }, doc: "The key." },
      { kind: "bytes", name: "rest", size: "rest", doc: "More data, not documented." }
    ]
  },
  ConnectRequest: {
    valve: "C2S_CONNECT",
    direction: "request",
    doc: "Asks to join. Known by its number only.",
    sources: "004",
    fields: [{ kind: "bytes", name: "payload", size: "rest", doc: "Everything after the type, not documented." }]
  },
  ConnectionAccepted: {
    valve: "S2C_CONNECTION",
    direction: "reply",
    doc: "The server lets the client in. Known by its number only.",
    sources: "004",
    fields: [{ kind: "bytes", name: "payload", size: "rest", doc: "Everything after the type, not documented." }]
  },
  ConnectionMessage: {
    valve: "connection-based message",
    direction: "both",
    doc: "A message of an open connection: no FF FF FF FF in front.",
    sources: "004",
    bare: true,
    fields: [
      { kind: "i32", name: "messageId", doc: "Counts from 1 on each side." },
      { kind: "i32", name: "responseId", doc: "The message that this one answers, or 0." },
      { kind: "u8", name: "type", doc: "0x20, 0x21 and 0xA1 are named in the document, without a meaning." },
      { kind: "bytes", name: "payload", size: "rest", doc: "Everything after the type." }
    ]
  }
}
