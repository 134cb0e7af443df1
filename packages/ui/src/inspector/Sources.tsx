/**
 * Shows a text that names the sources of a fact. If the text contains the number of a protocol document, this number is a link to the
 * document's entry in the playground.
 */
import { formatFragment } from "../router/Place.ts"
import documents from "./documents.json" with { type: "json" }

/** Titles of the documents in `docs/protocol`, by the number of the document. */
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
