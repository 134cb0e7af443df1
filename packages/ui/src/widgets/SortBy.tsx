/** Column titles that sort a list. A second click reverses the order. */

export interface Order<A extends string> {
  readonly column: A
  readonly down: boolean
}

interface SortByProps<A extends string> {
  /** The columns. A list cannot be sorted by columns with `none`. */
  readonly columns: ReadonlyArray<readonly [column: A, title: string, order?: "none"]>
  readonly order: Order<string>
  readonly sort: (order: Order<A>) => void
}

/** The column titles. A first click on the column of players or of findings sorts the list in descending order. */
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
