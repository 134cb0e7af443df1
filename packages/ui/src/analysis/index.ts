/** Dissects datagrams: the type of each, and the field of each byte. It does not need a page, so it can run in a worker. */
export { type Anatomy, byteOwners, type FieldNode, leavesOf, type Section, type Span, type Tone } from "./Anatomy.ts"
export { anatomise, ofMessage } from "./anatomise.ts"
export { firstWorthwhile, isFaulty, lastOf, nameOf, type Row, rowOf, severityOf, survey } from "./survey.ts"
