/** A table with a header and rows of cells. */
import type { ComponentChild, ThHTMLAttributes } from "preact"

/**
 * A string is the title of a column. An object contains the attributes of the column's header cell: `children` is the title, and `class` is
 * the class of all cells in the column.
 */
type Column = string | ThHTMLAttributes

/** The header of a table. */
export const ColumnTitles = ({ columns }: { readonly columns: ReadonlyArray<Column> }) => (
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
  readonly caption?: ComponentChild
  /** The titles of the columns. Absent if no column needs a title. */
  readonly columns?: ReadonlyArray<Column>
  /** Whether the first cell of each row is the header of this row. */
  readonly isNamed?: boolean
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChild>>
}

export const Table = ({ caption, columns, isNamed = false, rows, ...rest }: TableProps) => (
  <table {...rest}>
    {caption && <caption>{caption}</caption>}
    {columns && <ColumnTitles columns={columns} />}
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
