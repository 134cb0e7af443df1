/** Dissects datagrams: finds the type of each datagram, and the field of each byte. The code needs no page, so it can run in a worker. */
export { type Anatomy, byteOwners, type FieldNode, listLeaves, type Section, type Span, type Tone } from "./Anatomy.ts"
export { anatomise, ofMessage } from "./anatomise.ts"
export {
  firstWorthwhile,
  isFaulty,
  findLastDatagram,
  formatName,
  type Row,
  findRow,
  findSeverity,
  survey
} from "./survey.ts"
