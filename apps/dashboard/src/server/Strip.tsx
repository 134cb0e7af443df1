/** A strip of cells in a row, each as good as what was asked then was answered. */
import { dateOf } from "../words.ts"
import type { Cell } from "./series.ts"

const gradeOf = ({ answered, asked }: Cell): string =>
  asked === 0 ? "unasked" : answered === asked ? "good" : answered === 0 ? "silent" : "partly"

const titleOf = ({ answered, asked, span: [from, to] }: Cell): string =>
  `${dateOf(from * 1000)} to ${dateOf(to * 1000)}: ${
    asked === 0 ? "not asked" : `${answered} of ${asked} turns answered`
  }`

/** The strip; `summary` is for those who do not see it. */
export const Strip = ({ cells, summary }: { readonly cells: ReadonlyArray<Cell>; readonly summary: string }) => (
  <div class="strip" role="img" aria-label={summary}>
    {cells.map((cell) => (
      <span key={cell.span[0]} class={gradeOf(cell)} title={titleOf(cell)} />
    ))}
  </div>
)
