/** A filter that limits a view to one group. It is shown only if there are several groups. */
import { Select } from "@sourcewire/ui/widgets"
import { setParameters } from "./address.ts"
import { isolated } from "./words.ts"

interface GroupFilterProps {
  readonly groups: ReadonlyArray<string>
  /** The selected group. Empty if all groups are shown. */
  readonly group: string
}

export const GroupFilter = ({ group, groups }: GroupFilterProps) =>
  groups.length > 1 ? (
    <Select
      label="Group"
      value={group}
      // Unicode characters isolate the name of a group, so that the name does not change the direction of other text. An `option` element
      // cannot contain markup.
      options={Object.fromEntries(groups.map((name) => [name, isolated(name)]))}
      choose={(group) => setParameters({ group })}
    >
      <option value="">All groups</option>
    </Select>
  ) : null
