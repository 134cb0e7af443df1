/**
 * Parses and formats log lines of game servers. The function `logs` of the main entry receives log lines.
 *
 * @module
 */
export * as LogEntry from "./log/LogEntry.ts"
export { MAX_LOG_POST_BYTES } from "./log/HttpRequests.ts"
export type { LogOrigin } from "./log/LogPosts.ts"
export { type LogCounters, type LogError, MAX_LOG_DATAGRAM_BYTES, MAX_WAITING_ENTRIES } from "./log/LogStream.ts"
export type { PromiseLogOptions } from "./log/PromiseLogs.ts"
