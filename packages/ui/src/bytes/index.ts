/** Datagrams as pages hold them, and as text in a link. */
export { type Datagram, sizeOf } from "./Datagram.ts"
export { packBytes, packDatagrams, unpackBytes, unpackDatagrams } from "./share.ts"
