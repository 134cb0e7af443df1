/**
 * A cache in front of game servers: it asks each of them at a steady pace, and answers everybody else.
 *
 * @module
 */
export * as Proxy from "./Proxy.ts"
export { InvalidProxy, startProxy } from "./Proxy.ts"
export type { Part, ProxyEvent, ProxyServerOptions, ProxyStatus, RunningProxy, SavedUpstream } from "./Proxy.ts"
