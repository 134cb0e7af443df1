/** Datagrams taken apart: what each is, and which bytes are which field. Without a page, so that a worker can do it. */
export { type Anatomy, byteOwners, type FieldNode, leavesOf, type Section, type Span, type Tone } from "./Anatomy.ts"
export { anatomise, ofMessage } from "./anatomise.ts"
export { firstWorthwhile, isFaulty, lastOf, nameOf, type Row, rowOf, severityOf, survey } from "./survey.ts"
