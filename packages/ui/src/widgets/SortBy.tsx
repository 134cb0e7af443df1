/** The titles of a list's columns, each of which puts the list in order: a second time the other way round. */

export interface Order<A extends string> {
  readonly column: A
  readonly down: boolean
}

interface SortByProps<A extends string> {
  /** Those without an order stand there all the same. */
  readonly columns: ReadonlyArray<readonly [column: A, title: string, order?: "none"]>
  readonly order: Order<string>
  readonly sort: (order: Order<A>) => void
}

/** Where most play is what most look for: these come first. */
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
      const down = isShown ? !order.down : column === "players"
      return (
        <button key={column} type="button" class={name} aria-pressed={isShown} onClick={() => sort({ column, down })}>
          {title} {isShown ? (order.down ? "↓" : "↑") : ""}
        </button>
      )
    })}
  </div>
)
