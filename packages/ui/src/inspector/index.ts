/** The inspector, which shows the fields of a message beside its bytes. */
export { FieldTree } from "./FieldTree.tsx"
export { GameFacts } from "./GameFacts.tsx"
export { type Replies, useFacts } from "./games.ts"
export { type HexEditing, HexView } from "./HexView.tsx"
export { choose, chooseByte, type Cursor, forget, type Inspection, makeInspection, pointAt } from "./inspection.ts"
export { Explanation, Inspector } from "./Inspector.tsx"
export { DOCUMENTS, Sources } from "./Sources.tsx"
