/** Limits a view to one group, if there are several. */
import { Select } from "@sourcewire/ui/widgets"
import { setParameters } from "./address.ts"
import { isolated } from "./words.ts"

interface GroupFilterProps {
  readonly groups: ReadonlyArray<string>
  /** The group in use; empty for all groups. */
  readonly group: string
}

export const GroupFilter = ({ group, groups }: GroupFilterProps) =>
  groups.length > 1 ? (
    <Select
      label="Group"
      value={group}
      // Names are isolated, because options cannot contain markup.
      options={Object.fromEntries(groups.map((name) => [name, isolated(name)]))}
      choose={(group) => setParameters({ group })}
    >
      <option value="">All groups</option>
    </Select>
  ) : null
