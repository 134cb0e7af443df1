/**
 * Encoded requests. Generated from `src/declarations` by `pnpm generate`; not to be edited.
 *
 * @module
 */

/** The frequent requests of clients, each a complete datagram. Copy a request before you change it. */
export const REQUESTS: {
  /** A2S_INFO without a challenge. */
  readonly info: Uint8Array
  /** A2S_INFO with a challenge in the last four bytes. */
  readonly challengedInfo: Uint8Array
  /** A2S_PLAYER that requests a challenge. To send a challenge, write the challenge to the last four bytes. */
  readonly players: Uint8Array
  /** A2S_RULES that requests a challenge. To send a challenge, write the challenge to the last four bytes. */
  readonly rules: Uint8Array
  /** A2S_SERVERQUERY_GETCHALLENGE. */
  readonly challenge: Uint8Array
  /** A2A_PING. */
  readonly ping: Uint8Array
  /** A2S_GETCHALLENGE of the handshake, with the documented payload. The four bytes after the type byte contain a number that the client chooses, or a challenge. */
  readonly handshake: Uint8Array
  /** A2S_GETCHALLENGE of CS:GO's handshake. The challenge is the eight hexadecimal digits before the NUL. */
  readonly csgoHandshake: Uint8Array
} = {
  info: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 84, 83, 111, 117, 114, 99, 101, 32, 69, 110, 103, 105, 110, 101, 32, 81, 117, 101, 114, 121, 0),
  challengedInfo: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 84, 83, 111, 117, 114, 99, 101, 32, 69, 110, 103, 105, 110, 101, 32, 81, 117, 101, 114, 121, 0, 0, 0, 0, 0),
  players: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 85, 255, 255, 255, 255),
  rules: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 86, 255, 255, 255, 255),
  challenge: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 87),
  ping: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 105),
  handshake: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 113, 0, 0, 0, 0, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 0),
  csgoHandshake: /* @__PURE__ */ Uint8Array.of(255, 255, 255, 255, 113, 99, 111, 110, 110, 101, 99, 116, 48, 120, 48, 48, 48, 48, 48, 48, 48, 48, 0)
}
