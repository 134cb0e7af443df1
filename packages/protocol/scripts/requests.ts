/** Generates the frequent requests of clients as bytes, so that clients do not need the code that encodes messages. */
import * as declarations from "../src/declarations/declarations.ts"
import type { Fields } from "../src/declarations/Declaration.ts"
import { writeDatagram } from "../src/internal/interpret/write.ts"

type Wanted = readonly [name: string, tag: string, fields: Fields, doc: string]

const CHALLENGED = "that requests a challenge. To send a challenge, write the challenge to the last four bytes."
const HANDSHAKE =
  "with the documented payload. The four bytes after the type byte contain a number that the client chooses, or a challenge."

const wanted: ReadonlyArray<Wanted> = [
  ["info", "InfoRequest", {}, "A2S_INFO without a challenge."],
  ["challengedInfo", "InfoRequest", { challenge: 0 }, "A2S_INFO with a challenge in the last four bytes."],
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
    "A2S_GETCHALLENGE of CS:GO's handshake. The challenge is the eight hexadecimal digits before the NUL."
  ]
]

const formatBytes = (tag: string, fields: Fields): string =>
  writeDatagram(declarations.findDeclaration(tag)!, fields, "utf-8").join(", ")

/** The text of `generated/requests.ts`. */
export const requests = (): string => `/**
 * Encoded requests. Generated from \`src/declarations\` by \`pnpm generate\`; not to be edited.
 *
 * @module
 */

/** The frequent requests of clients, each a complete datagram. Copy a request before you change it. */
export const REQUESTS: {
${wanted.map(([name, , , doc]) => `  /** ${doc} */\n  readonly ${name}: Uint8Array`).join("\n")}
} = {
${wanted.map(([name, tag, fields]) => `  ${name}: /* @__PURE__ */ Uint8Array.of(${formatBytes(tag, fields)})`).join(",\n")}
}
`
