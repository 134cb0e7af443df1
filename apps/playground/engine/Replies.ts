/**
 * Replies that a server sends byte by byte: reads them from a file or a conversation, and sends them with an intercept.
 *
 * @module
 */
export { type GivenReply, RepliesFile } from "./GivenReply.ts"
export { givenReplies } from "./givenReplies.ts"
export { repliesIn, type ServerReplies } from "./repliesIn.ts"
