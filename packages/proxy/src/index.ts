/**
 * A caching proxy for game servers: it queries each server at a steady rate, and replies to all clients from its cache.
 *
 * @module
 */
export { makeProxy, type Proxy, type ProxyOptions, type RunningProxy, startProxy } from "./Proxy.ts"
export type { Part, SavedReply, SavedUpstream } from "./cache.ts"
export type { FrontCounters, FrontKind } from "./front.ts"
export type { RefreshCounters, UpstreamState } from "./refresher.ts"
export type { ProxyEvent, ProxyStatus } from "./line.ts"
export type { ProxyServerOptions } from "./settings.ts"
export { InvalidOption } from "@sourcewire/core"
