/**
 * A strip of cells. Each cell stands for a part of a period. The colour of the cell shows whether the server was for example up or down
 * during this part.
 */
import { type Grade, chooseGrade, GRADES } from "../grades.ts"
import { formatDate, percent } from "../words.ts"
import type { Cell } from "./series.ts"

const formatTitle = (cell: Cell): string => {
  const { downMs, mutedMs, span, upMs } = cell
  const [from, to] = span
  const monitored = upMs + downMs
  const state = monitored > 0 ? `${percent((100 * upMs) / monitored)} up` : mutedMs > 0 ? "muted" : "not monitored"
  return `${formatDate(from * 1000)} to ${formatDate(to * 1000)}: ${state}`
}

/** The strip of cells, with a legend of its colours. Screen readers read `summary` instead of the cells. */
export const Strip = ({ cells, summary }: { readonly cells: ReadonlyArray<Cell>; readonly summary: string }) => {
  const grades = cells.map(chooseGrade)
  return (
    <>
      <div class="axis strip" role="img" aria-label={summary}>
        {cells.map((cell, i) => (
          <span
            key={cell.span[0]}
            class={grades[i]}
            style={{ flexGrow: cell.span[1] - cell.span[0] }}
            title={formatTitle(cell)}
          />
        ))}
      </div>
      <p class="axis legend quiet">
        {Object.entries(GRADES)
          .filter(([grade]) => grades.includes(grade as Grade))
          .map(([grade, title]) => (
            <span key={grade}>
              <i class={grade} /> {title}
            </span>
          ))}
      </p>
    </>
  )
}
