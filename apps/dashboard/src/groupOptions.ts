/** Groups as options of a select element. Their names are isolated, because options cannot contain markup. */
import { isolated } from "./words.ts"

export const groupOptions = (groups: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(groups.map((group) => [group, isolated(group)]))
