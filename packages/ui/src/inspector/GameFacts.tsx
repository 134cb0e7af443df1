/** Shows the meaning of keywords and rules in the server's game, as a table with one row for each fact. */
import { Coloured } from "../widgets/Coloured.tsx"
import { Table } from "../widgets/Table.tsx"
import { type Replies, useFacts } from "./games.ts"

const MOST_OPEN = 24

/**
 * A table of the facts in the keywords and rules. Renders nothing if the game is unknown, or if there are neither facts nor an error to
 * show. If the page shows a summary of the server near the table, set `besideSummary`. Facts that the summary contains are then omitted
 * from the table.
 */
export const GameFacts = ({ besideSummary = false, ...replies }: Replies & { readonly besideSummary?: boolean }) => {
  const read = useFacts(replies)
  if (read === undefined) return null
  const { game, inSummary, malformed, truncatedKeyword, unknown } = read
  const facts = besideSummary ? read.facts.filter(({ name }) => !inSummary.has(name)) : read.facts
  if (facts.length === 0 && malformed === undefined) return null
  return (
    <details open={facts.length <= MOST_OPEN}>
      <summary>Settings of {game.name}</summary>
      <div class="table" role="region" aria-label={`Keywords and rules of ${game.name}`} tabIndex={0}>
        <Table
          columns={["Setting", "Value", "As sent"]}
          isNamed
          rows={facts.map(({ label, raw, text }) => [label, <Coloured text={text} />, <Coloured text={raw} />])}
        />
      </div>
      {malformed === undefined ? null : <p class="problem">{malformed.message}</p>}
      {truncatedKeyword === undefined ? null : (
        <p class="quiet">
          The last keyword may be incomplete: <Coloured text={truncatedKeyword} />
        </p>
      )}
      {unknown.length === 0 ? null : (
        <p class="quiet">
          Unknown keywords: <Coloured text={unknown.join(", ")} />
        </p>
      )}
    </details>
  )
}
