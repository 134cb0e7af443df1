/** Replies of a server, byte by byte. The playground writes them to a file, and `sourcewire serve --replies` reads this file. */
import * as Schema from "effect/Schema"

/** The largest payload of a UDP datagram over IPv4, and the maximum number of datagrams of one reply. */
const LONGEST_DATAGRAM = 65_507
const MAX_DATAGRAMS = 64

const makeHex = (pattern: RegExp, expected: string) =>
  Schema.String.check(
    Schema.isPattern(pattern, { message: `expected ${expected}` }),
    Schema.isMaxLength(2 * LONGEST_DATAGRAM)
  )

/** Datagrams that are sent, byte by byte, to every request of a kind. */
export const GivenReply = Schema.Struct({
  request: Schema.Literals(["info", "players", "rules", "ping", "getChallenge"]),
  /** The datagram with the challenge that the client must return; without it, the reply is sent at once. */
  challenge: Schema.optionalKey(makeHex(/^f{8}41[\da-f]{8}(?:00)*$/i, "a challenge in hex: ffffffff41 and four bytes")),
  datagrams: Schema.Array(makeHex(/^(?:[\da-f]{2})*$/i, "bytes in hex")).check(Schema.isMaxLength(MAX_DATAGRAMS))
}).annotate({ identifier: "GivenReply" })
export type GivenReply = typeof GivenReply.Type

/** One reply for each kind of request. */
export const GivenReplies = Schema.Array(GivenReply).check(Schema.isMaxLength(5))

/** The content of the file, which is JSON. */
export const RepliesFile = Schema.Struct({ replies: GivenReplies })
