/**
 * The services of a transport (`Datagrams`, `Streams`), for authors of transports and servers. This entry also exports functions that help
 * to implement these services, and functions that create the Promise API.
 *
 * @module
 */
export { ipv4Number } from "./address/ipv4.ts"
export { connectWith } from "./client/makeClient.ts"
export { Datagrams } from "./engine/Datagrams.ts"
export type { DatagramHandle, DatagramHandler, Endpoint, Family, OpenOptions, SocketFault } from "./engine/Datagrams.ts"
export { Streams, type StreamHandle, type StreamHandler } from "./engine/Streams.ts"
export { toSocketFault, openFailed } from "./engine/SystemFault.ts"
export { logsWith } from "./log/PromiseLogs.ts"
export { masterWith } from "./master/PromiseMaster.ts"
export { rconWith } from "./rcon/PromiseRcon.ts"
export { scanWith } from "./scan/PromiseScanner.ts"
export { type Abortable, type Closable, type Running, start as startRunning } from "./client/Running.ts"
export type { ResolvedAddress } from "./engine/Datagrams.ts"
export { type LookupHost, lookUp, type Resolve } from "./engine/lookup.ts"
export type { ConnectOptions, ListenOptions, StreamFault, StreamListener } from "./engine/Streams.ts"
