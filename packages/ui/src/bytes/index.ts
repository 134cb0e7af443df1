/** Datagrams of a page, and their text form in links. */
export { type Datagram, sizeOf } from "./Datagram.ts"
export { packBytes, packDatagrams, unpackBytes, unpackDatagrams } from "./share.ts"
