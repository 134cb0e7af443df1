/** Dissects datagrams: the type of each, and the field of each byte. It does not need a page, so it can run in a worker. */
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
