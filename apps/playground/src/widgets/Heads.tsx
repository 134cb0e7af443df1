/** The head of a table. */
import type { ThHTMLAttributes } from "preact"

/** A cell for each column: its title, or its attributes with that as `children`. */
export const Heads = ({ titles }: { readonly titles: ReadonlyArray<string | ThHTMLAttributes> }) => (
  <thead>
    <tr>
      {titles.map((title, i) => (
        <th key={i} scope="col" {...(typeof title === "string" ? { children: title } : title)} />
      ))}
    </tr>
  </thead>
)
