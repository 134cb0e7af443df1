/** The three forms of the handshake, and their requests. */
import { connectionless, HEADER_BYTES, REQUESTS } from "@sourcewire/protocol/wire"
import { withChallenge } from "../query/QueryExchange.ts"

/**
 * The form of a handshake: `source` is for Source 2013 and its relays, `csgo` is for CS:GO and similar games, and `goldsource` is for
 * GoldSource.
 */
export type HandshakeForm = "source" | "csgo" | "goldsource"

/** All forms, in the order in which they are tried. */
export const HANDSHAKE_FORMS: ReadonlyArray<HandshakeForm> = ["source", "csgo", "goldsource"]

/** Offset of the client's number in Source 2013's request. The reply must repeat this number. */
const NUMBER_AT = HEADER_BYTES + 1

const GOLDSOURCE = /* @__PURE__ */ connectionless("getchallenge steam\n")

/** Formats the text of CS:GO's request. If the server accepts the request, the field `context` of the reply contains the same text. */
export const formatContext = (challenge: number): string =>
  `connect0x${(challenge >>> 0).toString(16).toUpperCase().padStart(8, "0")}`

/** Parses the number in a text such as `connect0x0000002A`. Returns `undefined` if the text has another format. */
export const parseContext = (context: string): number | undefined => {
  const digits = /^connect0x([\da-f]{1,8})$/i.exec(context)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16) | 0
}

/** The characters `conn` as a number. A Source 2013 server that receives CS:GO's request reads these characters as the client's number. */
export const MISREAD_NUMBER = 0x6e6e6f63

export const buildRequest = (form: HandshakeForm, challenge: number): Uint8Array => {
  switch (form) {
    case "source":
      return withChallenge(REQUESTS.handshake, challenge, NUMBER_AT)
    case "csgo":
      return connectionless(`q${formatContext(challenge)}\0`)
    case "goldsource":
      return GOLDSOURCE
  }
}
