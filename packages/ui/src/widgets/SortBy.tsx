/** Column titles that sort a list. A second click reverses the order. */

export interface Order<A extends string> {
  readonly column: A
  readonly down: boolean
}

interface SortByProps<A extends string> {
  /** Columns with `none` cannot be sorted. */
  readonly columns: ReadonlyArray<readonly [column: A, title: string, order?: "none"]>
  readonly order: Order<string>
  readonly sort: (order: Order<A>) => void
}

/** The columns of players and of findings sort in descending order first. */
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
