/** What happened, at all servers. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { Alert, Select } from "@sourcewire/playground/widgets"
import { place, setParameters } from "../address.ts"
import { ask, useRepeatedly } from "../ask.ts"
import { useTitle } from "../title.ts"
import { ChangeList } from "./ChangeList.tsx"
import { NO_CHANGES, PAGE, useChanges, withNewest } from "./changes.ts"
import { KINDS } from "./sentence.ts"

export const Events = () => {
  const wanted = place.value.parameters.get("field") ?? ""
  const field = Object.hasOwn(KINDS, wanted) ? wanted : ""
  const query = field === "" ? "" : `field=${field}`
  const { changes, more } = useChanges(query)
  useTitle("Events")
  const trouble = useRepeatedly(
    async (signal) => {
      const newest = await ask<ReadonlyArray<ChangeRow>>(`changes?${query}&limit=${PAGE}`, signal)
      changes.value = withNewest(changes.value, newest, PAGE)
    },
    [query]
  )
  return (
    <section class="events" aria-labelledby="events">
      <div class="heading">
        <h2 id="events">Events</h2>
        <Select label="Which events" value={field} options={KINDS} choose={(field) => setParameters({ field })}>
          <option value="">All events</option>
        </Select>
      </div>
      <Alert text={trouble} />
      {changes.value !== NO_CHANGES && changes.value.known.length === 0 && (
        <p class="empty">Nothing has happened yet: what changes at a server is here from then on.</p>
      )}
      {changes.value.known.length > 0 && (
        <div class="panel">
          <ChangeList changes={changes.value} more={more} named />
        </div>
      )}
    </section>
  )
}
