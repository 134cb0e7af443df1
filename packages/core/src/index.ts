/**
 * Queries game servers, on any runtime. Exports the functions `connect`, `scan`, `master`, `rcon` and `logs` as Effects and streams, with
 * their results and errors. A transport package provides the sockets, and exports the same functions with promises.
 *
 * @module
 */
export * from "./outcomes.ts"
export { format as formatAddress, parse as parseAddress } from "./address/Address.ts"
export { Client, connect } from "./client/Client.ts"
export type { Effects } from "./client/Style.ts"
export { logs, type LogOptions, type LogReceiver } from "./log/LogStream.ts"
export { servers as master } from "./master/observed.ts"
export { connect as rcon } from "./rcon/observed.ts"
export type { RconOptions } from "./rcon/options.ts"
export type { Rcon } from "./rcon/Rcon.ts"
export { scan } from "./scan/Scanner.ts"
