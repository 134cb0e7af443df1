/**
 * A cache in front of game servers: it asks each of them at a steady pace, and answers everybody else.
 *
 * @module
 */
export { makeProxy, type Proxy, startProxy } from "./Proxy.ts"
export type { SavedUpstream } from "./cache.ts"
export type { ProxyEvent, ProxyStatus } from "./line.ts"
export { InvalidProxy, type ProxyServerOptions } from "./settings.ts"
