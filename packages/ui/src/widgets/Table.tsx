/** A table of titles and rows of cells. */
import type { ComponentChild, ThHTMLAttributes } from "preact"

/** A title, or the attributes of the head with that as `children`; their class is that of the cells below, too. */
type Column = string | ThHTMLAttributes

interface TableProps {
  readonly class?: string
  readonly caption?: ComponentChild
  /** None where no column needs a title. */
  readonly columns?: ReadonlyArray<Column>
  /** Whether each row is named by its first cell. */
  readonly isNamed?: boolean
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChild>>
}

export const Table = ({ caption, columns, isNamed = false, rows, ...rest }: TableProps) => (
  <table {...rest}>
    {caption && <caption>{caption}</caption>}
    {columns && (
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i} scope="col" {...(typeof column === "string" ? { children: column } : column)} />
          ))}
        </tr>
      </thead>
    )}
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
