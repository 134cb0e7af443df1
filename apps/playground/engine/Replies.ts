/**
 * Replies that a server sends byte by byte: from a file, from a conversation, and as an intercept.
 *
 * @module
 */
export { type GivenReply, RepliesFile } from "./GivenReply.ts"
export { givenReplies } from "./givenReplies.ts"
export { repliesIn, type ServerReplies } from "./repliesIn.ts"
