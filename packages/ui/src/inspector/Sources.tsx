/** Where something is from: numbers of documents lead to the playground's list of them. */
import { fragmentOf } from "../router/Place.ts"
import documents from "./documents.json" with { type: "json" }

/** What each document is, by its number, as the repository's `docs/protocol` says. */
export const DOCUMENTS: Readonly<Record<string, string>> = documents

export const Sources = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\b(00\d)\b/).map((piece) =>
      DOCUMENTS[piece] === undefined ? (
        piece
      ) : (
        <a key={piece} href={fragmentOf("examples", [["doc", piece]])} title={DOCUMENTS[piece]}>
          {piece}
        </a>
      )
    )}
  </>
)
