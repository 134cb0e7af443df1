/**
 * Shows the titles of a list's columns. A click on a title sorts the list by the column with this title. A second click on this title
 * reverses the order.
 */

export interface Order<A extends string> {
  readonly column: A
  readonly down: boolean
}

interface SortByProps<A extends string> {
  /** The columns with their titles. If the `order` of a column is `none`, the list cannot be sorted by this column. */
  readonly columns: ReadonlyArray<readonly [column: A, title: string, order?: "none"]>
  readonly order: Order<string>
  readonly sort: (order: Order<A>) => void
}

/**
 * Shows the titles. The first click on the title of the column `players` or `findings` sorts the list in descending order. The first click
 * on the title of any other column sorts the list in ascending order.
 */
export const SortBy = <A extends string>({ columns, order, sort }: SortByProps<A>) => (
  <div class="columns" role="group" aria-label="Sort by">
    {columns.map(([column, title, kind]) => {
      const name = `cell-${column}`
      if (kind === "none")
        return (
          <span key={column} class={name}>
            {title}
          </span>
        )
      const isShown = order.column === column
      const down = isShown ? !order.down : column === "players" || column === "findings"
      return (
        <button key={column} type="button" class={name} aria-pressed={isShown} onClick={() => sort({ column, down })}>
          {title} {isShown ? (order.down ? "↓" : "↑") : ""}
        </button>
      )
    })}
  </div>
)
