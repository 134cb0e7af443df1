/**
 * Reads datagrams from capture files (pcap, pcapng), and from pasted text (for example hex dumps, string escapes and base64). This package
 * also summarizes a message in one line, and filters lists of messages by server, type or words. Use `@sourcewire/protocol` to decode the
 * datagrams.
 *
 * @module
 */
export { CaptureReader } from "./CaptureReader.ts"
export { Flows, type FlowReply } from "./Flows.ts"
export type { CapturedDatagram } from "./frames.ts"
export { describe, messageName, plural } from "./list/describe.ts"
export { formatConversation, hasWords, passing, type Ends, type Filter, type Listed } from "./list/Filter.ts"
export { Replies, type Reply } from "./list/Replies.ts"
export { InvalidCapture } from "./Packet.ts"
export { readText, type NotUnderstood, type TextDatagram, type Understood } from "./readText.ts"
export { fromBase64 } from "./text/base64.ts"
export { isDumpLine } from "./text/dumps.ts"
export { type WrittenDatagram, writePcapng } from "./writePcapng.ts"
export { hasProtocolHead, type Spelling } from "./text/Reading.ts"
