/** Sources of a fact. Numbers of documents link to the playground's list of documents. */
import { formatFragment } from "../router/Place.ts"
import documents from "./documents.json" with { type: "json" }

/** Titles of the documents by number, from `docs/protocol`. */
export const DOCUMENTS: Readonly<Record<string, string>> = documents

export const Sources = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\b(00\d)\b/).map((piece) =>
      DOCUMENTS[piece] === undefined ? (
        piece
      ) : (
        <a key={piece} href={formatFragment("examples", [["doc", piece]])} title={DOCUMENTS[piece]}>
          {piece}
        </a>
      )
    )}
  </>
)
