/** Incidents and other events of all servers. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { place, setParameters } from "../address.ts"
import { getJson, useRepeatedly } from "../requests.ts"
import { useTitle } from "../title.ts"
import { ChangeList } from "./ChangeList.tsx"
import { NO_CHANGES, PAGE, useChanges, withNewest } from "./changes.ts"
import { Incidents } from "./Incidents.tsx"
import { KINDS } from "./sentence.tsx"

/**
 * The choices of the filter and their titles, except the choice "Incidents". The first choice shows all events, and each of the other
 * choices shows one kind of event.
 */
const OTHERS: Readonly<Record<string, string>> = { all: "All events", ...KINDS }

export const Events = ({ groups }: { readonly groups: ReadonlyArray<string> }) => {
  const wanted = place.value.parameters.get("field") ?? ""
  const field = Object.hasOwn(OTHERS, wanted) ? wanted : ""
  useTitle(field === "" ? "Incidents" : "Events")
  return (
    <section class="events" aria-labelledby="events">
      <h2 id="events">{field === "" ? "Incidents" : "Events"}</h2>
      <div class="chips" role="group" aria-label="Which events">
        {Object.entries({ "": "Incidents", ...OTHERS }).map(([value, title]) => (
          <Button key={value} aria-pressed={value === field} onClick={() => setParameters({ field: value })}>
            {title}
          </Button>
        ))}
      </div>
      {field === "" ? <Incidents groups={groups} /> : <AllChanges field={field} />}
    </section>
  )
}

const AllChanges = ({ field }: { readonly field: string }) => {
  const query = field === "all" ? "" : `field=${field}`
  const { changes, more } = useChanges(query)
  const trouble = useRepeatedly(
    async (signal) => {
      const newest = await getJson<ReadonlyArray<ChangeRow>>(`changes?${query}&limit=${PAGE}`, signal)
      changes.value = withNewest(changes.value, newest, PAGE)
    },
    [query]
  )
  return (
    <>
      <Alert text={trouble} />
      {changes.value !== NO_CHANGES && changes.value.known.length === 0 && (
        <p class="empty">No events yet. Changes at servers are listed here.</p>
      )}
      {changes.value.known.length > 0 && (
        <div class="panel">
          <ChangeList changes={changes.value} more={more} named />
        </div>
      )}
    </>
  )
}
