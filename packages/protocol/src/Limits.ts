/**
 * Every limit of the decoders, with its reason. Input beyond a limit is rejected with `LimitExceeded` and not stored.
 *
 * @module
 */

/** Fragments of one split reply: the Source header counts them in a byte. */
export const MAX_FRAGMENTS = 255

/** Bytes of a joined reply: 255 fragments of 1248 bytes are 318 kB; servers with hundreds of rules send 10–20 kB. */
export const MAX_JOINED_BYTES = 512 * 1024

/** Bytes of a decompressed reply: 1 kB of bzip2 can announce megabytes, real replies have less than 100 kB. */
export const MAX_INFLATED_BYTES = 1024 * 1024

/** Split replies of one sender at a time: a server sends one, and a retransmitted request may start a second. */
export const MAX_PARTIAL_REPLIES = 8

/** Players of one reply: the largest seen is 396 (Rust), a datagram of 64 kB holds 6 500 nameless ones. */
export const MAX_PLAYERS = 8192

/** Rules of one reply: the largest seen is 480; MAX_JOINED_BYTES of two-byte rules would be 262 144. */
export const MAX_RULES = 65_535

/** Bytes of one Source RCON packet after its size field: Valve's servers stop at 4096, others (Factorio) never split a reply. */
export const MAX_RCON_PACKET_BYTES = 1024 * 1024

/** Bytes of one RCON reply in all its packets: the longest seen, a server's whole `cvarlist`, is about 300 kB. */
export const MAX_RCON_REPLY_BYTES = 8 * 1024 * 1024
