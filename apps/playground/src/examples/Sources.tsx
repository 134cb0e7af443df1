/** Where something is from: numbers of documents lead to what they are. */
import { fragment } from "../state/address.ts"
import { DOCUMENTS } from "./documents.ts"

export const Sources = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\b(00\d)\b/).map((piece) =>
      DOCUMENTS[piece] === undefined ? (
        piece
      ) : (
        <a key={piece} href={fragment("examples", { doc: piece })} title={DOCUMENTS[piece]}>
          {piece}
        </a>
      )
    )}
  </>
)
