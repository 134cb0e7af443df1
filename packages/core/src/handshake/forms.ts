/** The three forms in which servers let clients begin to join, and the requests of each. */
import { connectionless, HEADER_BYTES, REQUESTS } from "@sourcewire/protocol/wire"
import { withChallenge } from "../query/QueryExchange.ts"

/** Source 2013 and its relays, CS:GO and its relatives, or GoldSource. */
export type HandshakeForm = "source" | "csgo" | "goldsource"

/** In the order in which they are tried. */
export const HANDSHAKE_FORMS: ReadonlyArray<HandshakeForm> = ["source", "csgo", "goldsource"]

/** Where the client's number stands in Source 2013's request. */
const NUMBER_AT = HEADER_BYTES + 1

const GOLDSOURCE = /* @__PURE__ */ connectionless("getchallenge steam\n")

/** The text of CS:GO's request, which a server that lets the client go on repeats as `context`. */
export const contextOf = (challenge: number): string =>
  `connect0x${(challenge >>> 0).toString(16).toUpperCase().padStart(8, "0")}`

/** The number in such a text. */
export const numberIn = (context: string): number | undefined => {
  const digits = /^connect0x([\da-f]{1,8})$/i.exec(context)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16) | 0
}

/** CS:GO's request, read as Source 2013's, has these characters in the place of the number: `conn`. */
export const MISREAD_NUMBER = 0x6e6e6f63

/** The request of a form. */
export const requestOf = (form: HandshakeForm, challenge: number): Uint8Array => {
  switch (form) {
    case "source":
      return withChallenge(REQUESTS.handshake, challenge, NUMBER_AT)
    case "csgo":
      return connectionless(`q${contextOf(challenge)}\0`)
    case "goldsource":
      return GOLDSOURCE
  }
}
