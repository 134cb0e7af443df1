/** Groups as options of a list: their names are isolated, since an option has no markup. */
import { isolated } from "./words.ts"

export const groupOptions = (groups: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(groups.map((group) => [group, isolated(group)]))
