/**
 * Explains conversations with game servers. The result is a list of findings. Each finding has a text, a severity, a hint and the bytes to
 * which it applies. This package performs no I/O: the caller passes datagrams from a capture, from a query, or from a user who has pasted
 * them.
 *
 * @module
 */
export { findConversations, type DiagnosedDatagram, type Entry, type Query } from "./Conversation.ts"
export { type Diagnosis, diagnose, diagnoseMessage, type DiagnoseOptions } from "./diagnose.ts"
export { type Finding, type FindingKind, KINDS, type Place, SEVERITIES, type Severity } from "./Finding.ts"
