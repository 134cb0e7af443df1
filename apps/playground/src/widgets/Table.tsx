/** A table of titles and rows of cells, and the head of one alone. */
import type { ComponentChild, ThHTMLAttributes } from "preact"

/** A title, or the attributes of the head with that as `children`; their class is that of the cells below, too. */
type Column = string | ThHTMLAttributes

export const Heads = ({ columns }: { readonly columns: ReadonlyArray<Column> }) => (
  <thead>
    <tr>
      {columns.map((column, i) => (
        <th key={i} scope="col" {...(typeof column === "string" ? { children: column } : column)} />
      ))}
    </tr>
  </thead>
)

interface TableProps {
  readonly class?: string
  /** None where no column needs a title. */
  readonly columns?: ReadonlyArray<Column>
  /** Whether each row is named by its first cell. */
  readonly isNamed?: boolean
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChild>>
}

export const Table = ({ columns, isNamed = false, rows, ...rest }: TableProps) => (
  <table {...rest}>
    {columns && <Heads columns={columns} />}
    <tbody>
      {rows.map((cells, i) => (
        <tr key={i}>
          {cells.map((cell, at) => {
            if (isNamed && at === 0) return <th scope="row">{cell}</th>
            const column = columns?.[at]
            return <td class={typeof column === "object" ? column.class : undefined}>{cell}</td>
          })}
        </tr>
      ))}
    </tbody>
  </table>
)
