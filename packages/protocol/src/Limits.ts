/**
 * The limits of the decoders, with the reason for each limit. Input beyond a limit is rejected with `LimitExceeded` and not stored.
 *
 * @module
 */

/**
 * Maximum number of fragments in a split reply. In the Source engine, the header of a fragment stores the number of fragments in one byte.
 */
export const MAX_FRAGMENTS = 255

/**
 * Maximum size of a joined reply, in bytes. The largest possible reply, 255 fragments of 1248 bytes, has 318 kB; servers with hundreds of
 * rules send 10–20 kB.
 */
export const MAX_JOINED_BYTES = 512 * 1024

/**
 * Maximum size of a decompressed reply, in bytes. A compressed reply of 1 kB can announce a decompressed size of megabytes. The replies of
 * real servers have less than 100 kB after decompression.
 */
export const MAX_INFLATED_BYTES = 1024 * 1024

/**
 * Maximum number of incomplete split replies per sender. A server usually sends one split reply at a time. A retransmitted request may cause
 * a second split reply.
 */
export const MAX_PARTIAL_REPLIES = 8

/**
 * Maximum number of players in a reply. The largest known reply has 396 players (Rust); a datagram of 64 kB can contain 6,500 players
 * without names.
 */
export const MAX_PLAYERS = 8192

/**
 * Maximum number of rules in a reply. The largest known reply has 480 rules; a joined reply of `MAX_JOINED_BYTES` bytes could contain
 * 262,144 rules of two bytes.
 */
export const MAX_RULES = 65_535

/**
 * Maximum size of a Source RCON packet after its size field, in bytes. Packets of Valve's servers have at most 4096 bytes. Some other
 * servers, for example Factorio, send each reply in one packet of any size.
 */
export const MAX_RCON_PACKET_BYTES = 1024 * 1024

/**
 * Maximum total size of an RCON reply, in bytes. A reply can consist of many packets. The longest known reply, the complete `cvarlist` of a
 * server, has about 300 kB.
 */
export const MAX_RCON_REPLY_BYTES = 8 * 1024 * 1024
