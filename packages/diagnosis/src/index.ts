/**
 * Explains a conversation with a game server by findings, each with a reason, a severity, a hint and the bytes. It performs no I/O: the
 * datagrams come from a capture, from a query, or from a person who pasted them.
 *
 * @module
 */
export { findConversations, type DiagnosedDatagram, type Entry, type Query } from "./Conversation.ts"
export { type Diagnosis, diagnose, diagnoseMessage, type DiagnoseOptions } from "./diagnose.ts"
export { type Finding, type FindingKind, KINDS, type Place, SEVERITIES, type Severity } from "./Finding.ts"
