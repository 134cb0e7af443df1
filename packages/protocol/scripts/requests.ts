/** The requests that clients send over and over, as bytes, so that asking takes nothing of what writes messages. */
import * as declarations from "../src/declarations/declarations.ts"
import type { Fields } from "../src/declarations/Declaration.ts"
import { writeDatagram } from "../src/internal/interpret/write.ts"

type Wanted = readonly [name: string, tag: string, fields: Fields, doc: string]

const CHALLENGED = "that asks for a challenge, which takes the place of the last four bytes."
const HANDSHAKE = "with the document's payload; the client's number goes behind the type."

const wanted: ReadonlyArray<Wanted> = [
  ["info", "InfoRequest", {}, "A2S_INFO, before there is a challenge."],
  ["challengedInfo", "InfoRequest", { challenge: 0 }, "A2S_INFO; the challenge is the last four bytes."],
  ["players", "PlayersRequest", { challenge: -1 }, `A2S_PLAYER ${CHALLENGED}`],
  ["rules", "RulesRequest", { challenge: -1 }, `A2S_RULES ${CHALLENGED}`],
  ["challenge", "GetChallengeRequest", {}, "A2S_SERVERQUERY_GETCHALLENGE."],
  ["ping", "PingRequest", {}, "A2A_PING."],
  [
    "handshake",
    "HandshakeRequest",
    { challenge: 0, payload: "0000000000" },
    `A2S_GETCHALLENGE of the handshake, ${HANDSHAKE}`
  ],
  [
    "csgoHandshake",
    "CsgoHandshakeRequest",
    { challenge: 0 },
    "A2S_GETCHALLENGE of CS:GO's handshake; the challenge is the eight hexadecimal digits before the NUL."
  ]
]

const formatBytes = (tag: string, fields: Fields): string =>
  writeDatagram(declarations.findDeclaration(tag)!, fields, "utf-8").join(", ")

/** The text of `generated/requests.ts`. */
export const requests = (): string => `/**
 * Requests as bytes. Generated from \`src/declarations\` by \`pnpm generate\`; not to be edited.
 *
 * @module
 */

/** The requests that clients send over and over, each a whole datagram: to be copied before it is changed. */
export const REQUESTS: {
${wanted.map(([name, , , doc]) => `  /** ${doc} */\n  readonly ${name}: Uint8Array`).join("\n")}
} = {
${wanted.map(([name, tag, fields]) => `  ${name}: /* @__PURE__ */ Uint8Array.of(${formatBytes(tag, fields)})`).join(",\n")}
}
`
