/** The requests that clients send over and over, as bytes, so that asking takes nothing of what writes messages. */
import * as declarations from "../src/declarations/declarations.ts"
import type { Fields } from "../src/declarations/Declaration.ts"
import { writeMessage } from "../src/internal/interpret/write.ts"
import { Writer } from "../src/internal/interpret/writer.ts"
import { connectionless } from "../src/Wire.ts"

interface Wanted {
  readonly name: string
  readonly tag: string
  readonly fields: Fields
  readonly doc: string
}

const wanted: ReadonlyArray<Wanted> = [
  { name: "info", tag: "InfoRequest", fields: {}, doc: "A2S_INFO, before there is a challenge." },
  {
    name: "challengedInfo",
    tag: "InfoRequest",
    fields: { challenge: 0 },
    doc: "A2S_INFO; the challenge is the last four bytes."
  },
  {
    name: "players",
    tag: "PlayersRequest",
    fields: { challenge: -1 },
    doc: "A2S_PLAYER that asks for a challenge, which takes the place of the last four bytes."
  },
  {
    name: "rules",
    tag: "RulesRequest",
    fields: { challenge: -1 },
    doc: "A2S_RULES that asks for a challenge, which takes the place of the last four bytes."
  },
  { name: "challenge", tag: "GetChallengeRequest", fields: {}, doc: "A2S_SERVERQUERY_GETCHALLENGE." },
  { name: "ping", tag: "PingRequest", fields: {}, doc: "A2A_PING." },
  {
    name: "handshake",
    tag: "HandshakeRequest",
    fields: { challenge: 0, payload: "0000000000" },
    doc: "A2S_GETCHALLENGE of the handshake, with the document's payload; the client's number goes behind the type."
  }
]

const bytesOf = ({ fields, tag }: Wanted): string => {
  const declaration = declarations.declarationOf(tag)!
  const writer = new Writer()
  writer.bytes(connectionless(""))
  writer.number("u8", declaration.type!, "type")
  writeMessage(declaration, fields, writer, "utf-8")
  return writer.result().join(", ")
}

/** The text of `generated/requests.ts`. */
export const requests = (): string => `/**
 * Requests as bytes. Generated from \`src/declarations\` by \`pnpm generate\`; not to be edited.
 *
 * @module
 */

/** The requests that clients send over and over, each a whole datagram: to be copied before it is changed. */
export const REQUESTS: {
${wanted.map((each) => `  /** ${each.doc} */\n  readonly ${each.name}: Uint8Array`).join("\n")}
} = {
${wanted.map((each) => `  ${each.name}: /* @__PURE__ */ Uint8Array.of(${bytesOf(each)})`).join(",\n")}
}
`
