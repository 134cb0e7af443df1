/** Controls that filter the list of datagrams, and buttons that select the next or the previous row with an error or a warning. */
import { plural } from "@sourcewire/capture"
import { findSeverity } from "@sourcewire/ui/analysis"
import { Button, Checkbox, CopyButton } from "@sourcewire/ui/widgets"
import { filter, narrow, nextFaulty, widen } from "./filtering.ts"
import { choices, chooseRow, chosenRow, linkToShown, rows, shown } from "./workbench.ts"

const options = (counted: ReadonlyArray<readonly [string, number]>) =>
  counted.map(([name, count]) => (
    <option key={name} value={name}>
      {name} ({count})
    </option>
  ))

export const FilterBar = () => {
  const { conversations, servers, types } = choices.value
  const severities = rows.value.map(findSeverity)
  const [errors = 0, warnings = 0] = (["error", "warning"] as const).map(
    (one) => severities.filter((of) => of === one).length
  )
  const { ends, faulty: faultyOnly, type, words } = filter.value
  const step = (way: 1 | -1) => {
    const found = nextFaulty(rows.value, shown.value, chosenRow.value, way)
    return (
      <Button disabled={found === undefined} onClick={() => found !== undefined && chooseRow(found)}>
        {way === 1 ? "Next finding" : "Previous finding"}
      </Button>
    )
  }
  return (
    <div class="bar filters" role="group" aria-label="Filter">
      <input
        aria-label="Words in the row"
        placeholder="Filter: words"
        value={words}
        onInput={(event) => narrow({ words: event.currentTarget.value })}
      />
      {conversations.length === 0 ? null : (
        <select aria-label="Server" value={ends} onChange={(event) => narrow({ ends: event.currentTarget.value })}>
          <option value="">{plural(servers.length, "server")}</option>
          <optgroup label="Servers">{options(servers)}</optgroup>
          <optgroup label="Conversations">{options(conversations)}</optgroup>
        </select>
      )}
      <select aria-label="Type" value={type} onChange={(event) => narrow({ type: event.currentTarget.value })}>
        <option value="">{plural(types.length, "type")}</option>
        {options(types)}
      </select>
      <label>
        <Checkbox checked={faultyOnly} disabled={errors + warnings === 0} set={(faulty) => narrow({ faulty })} />{" "}
        {plural(errors, "error")}, {plural(warnings, "warning")}
      </label>
      {step(-1)}
      {step(1)}
      <output>
        {shown.value.length} of {plural(rows.value.length, "row")}
      </output>
      {shown.value.length === rows.value.length ? null : (
        <>
          <Button onClick={widen}>All</Button>
          <CopyButton label="Link to these" title="The link contains the bytes" text={linkToShown} />
        </>
      )}
    </div>
  )
}
