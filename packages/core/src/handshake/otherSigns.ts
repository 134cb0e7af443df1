/**
 * What else a server answers that does not answer the handshake. Some engines answer queries and join clients in another way, so a client
 * asks for that near the end of its time, and says which it is.
 */
import { challengeOf, connectionless, MessageType, messageType, REQUESTS } from "@sourcewire/protocol/wire"

/** A2S_INFO, A2A_PING in both spellings, and the only query of an HLTV without a game; when, in parts of the time. */
export const SIGNS_ASKED: ReadonlyArray<{ readonly at: number; readonly packet: Uint8Array }> = [
  { at: 0.6, packet: REQUESTS.info },
  { at: 0.7, packet: REQUESTS.ping },
  // One of the two may get lost.
  { at: 0.75, packet: REQUESTS.info },
  { at: 0.8, packet: connectionless("ping") },
  { at: 0.9, packet: connectionless("infostring") }
]

/** What a reply shows of a server that does not answer the handshake. */
export type Sign = "A2S_INFO" | "infostring" | "challenge" | "ping"

/** Xash3D and Quake answer `getchallenge` with a text of their own; this comes without being asked for a sign. */
const OWN_HANDSHAKE = /^\xff{4}challenge/

const INFO_STRING = /^\xff{4}infostringresponse/

const PING = /^\xff{4}(?:j|ack)/

/** What a datagram shows; `undefined` if nothing. */
export const signOf = (datagram: Uint8Array): Sign | undefined => {
  const type = messageType(datagram)
  if (type === MessageType.S2A_INFO_SRC || type === MessageType.S2A_INFO_DETAILED) return "A2S_INFO"
  if (challengeOf(datagram, type) !== undefined) return "A2S_INFO"
  const text = String.fromCharCode(...datagram.subarray(0, 24))
  if (OWN_HANDSHAKE.test(text)) return "challenge"
  if (INFO_STRING.test(text)) return "infostring"
  return PING.test(text) ? "ping" : undefined
}

/** What to say of a server that gave these signs and no handshake. */
export const hintOf = (signs: ReadonlySet<Sign>): string => {
  const query = (["A2S_INFO", "infostring"] as const).find((sign) => signs.has(sign))
  const own = signs.has("challenge") ? " It has its own handshake, as Xash3D and Quake do." : ""
  if (query !== undefined) {
    return `The server answers queries (${query}), but not this handshake, which not every engine has.${own}`
  }
  if (own !== "") return `The server is up, but answers neither this handshake nor A2S_INFO.${own}`
  return "The server answers a ping, but neither this handshake nor A2S_INFO. It may leave queries to Steam, or have another query port."
}
