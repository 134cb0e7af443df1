/**
 * Dissects datagrams: finds the type of each datagram and the field of each byte. This code does not use the DOM, so a worker can run it.
 */
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
