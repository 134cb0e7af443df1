/**
 * Probes a server that does not reply to the handshake. Some engines support queries, but use another handshake. Near the end of the
 * timeout, `HandshakeExchange` sends queries and pings. If the handshake fails, the error reports to which of these requests the server
 * replied.
 */
import { readChallenge, connectionless, MessageType, messageType, REQUESTS } from "@sourcewire/protocol/wire"

/**
 * The requests to send: A2S_INFO, the pings `i` and `ping`, and `infostring`. While HLTV shows no game, it replies only to `infostring`.
 * `at` is the time at which a request is sent, as a share of the timeout.
 */
export const PROBES: ReadonlyArray<{ readonly at: number; readonly packet: Uint8Array }> = [
  { at: 0.6, packet: REQUESTS.info },
  { at: 0.7, packet: REQUESTS.ping },
  // A2S_INFO is sent twice, because a datagram can be lost.
  { at: 0.75, packet: REQUESTS.info },
  { at: 0.8, packet: connectionless("ping") },
  { at: 0.9, packet: connectionless("infostring") }
]

/** The kind of a reply from a server that does not support the handshake. */
export type Sign = "A2S_INFO" | "infostring" | "challenge" | "ping"

/**
 * Matches the reply of Xash3D and Quake to `getchallenge`. GoldSource's own reply begins with another text. Xash3D and Quake reply without
 * a probe, because `getchallenge` is also the handshake request in GoldSource's form.
 */
const OWN_HANDSHAKE = /^\xff{4}challenge/

const INFO_STRING = /^\xff{4}infostringresponse/

const PING = /^\xff{4}(?:j|ack)/

/** Returns the kind of the reply in a datagram, or `undefined` if the datagram is not a reply of a known kind. */
export const findSign = (datagram: Uint8Array): Sign | undefined => {
  const type = messageType(datagram)
  if (type === MessageType.S2A_INFO_SRC || type === MessageType.S2A_INFO_DETAILED) return "A2S_INFO"
  if (readChallenge(datagram, type) !== undefined) return "A2S_INFO"
  const text = String.fromCharCode(...datagram.subarray(0, 24))
  if (OWN_HANDSHAKE.test(text)) return "challenge"
  if (INFO_STRING.test(text)) return "infostring"
  return PING.test(text) ? "ping" : undefined
}

/** Returns a text for users, which explains to which kinds of requests the server replied. */
export const formatHint = (signs: ReadonlySet<Sign>): string => {
  const query = (["A2S_INFO", "infostring"] as const).find((sign) => signs.has(sign))
  const own = signs.has("challenge") ? " It has its own handshake, as Xash3D and Quake do." : ""
  if (query !== undefined) {
    return `The server replies to queries (${query}), but not to this handshake, which not every engine supports.${own}`
  }
  if (own !== "") return `The server is up, but replies neither to this handshake nor to A2S_INFO.${own}`
  return "The server replies to a ping, but neither to this handshake nor to A2S_INFO. The server may use another query port, or Steam for queries."
}
