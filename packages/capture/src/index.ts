/**
 * Datagrams out of what people have at hand: capture files (pcap, pcapng) and pasted bytes in every spelling. Says nothing about what
 * the datagrams mean: that is `@sourcewire/protocol`'s matter.
 *
 * @module
 */
export { CaptureReader } from "./CaptureReader.ts"
export { Flows } from "./Flows.ts"
export type { FlowReply } from "./Flows.ts"
export type { CapturedDatagram } from "./frames.ts"
export { InvalidCapture } from "./Packet.ts"
export { readText } from "./readText.ts"
export type { NotUnderstood, TextDatagram, Understood } from "./readText.ts"
export { fromBase64 } from "./text/base64.ts"
export { isDumpLine } from "./text/dumps.ts"
export { hasProtocolHead } from "./text/Reading.ts"
export type { Spelling } from "./text/Reading.ts"
