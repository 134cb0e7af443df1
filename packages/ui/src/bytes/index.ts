/** Datagrams of a page, and their text form in links. */
export { type Datagram, countBytes } from "./Datagram.ts"
export { packBytes, packDatagrams, unpackBytes, unpackDatagrams } from "./share.ts"
