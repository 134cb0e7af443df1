/** What happened at a server. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { ago, dateOf } from "../words.ts"

/** Names in JSON, as people read them. */
const namesIn = (json: string): string => {
  try {
    return (JSON.parse(json) as ReadonlyArray<unknown>).map(String).join(", ")
  } catch {
    return json
  }
}

const sentenceOf = ({ field, from, to }: ChangeRow): string => {
  switch (field) {
    case "state":
      return to === "up" ? "is up" : to === "down" ? "is down" : `is ${to}`
    case "full":
      return to === "true" ? "is full" : "has room again"
    case "joined":
      return `${namesIn(to)} joined`
    case "left":
      return `${namesIn(to)} left`
    default:
      return from === "" ? `${field}: ${to}` : `${field}: ${from} → ${to}`
  }
}

/** The newest first. */
export const Changes = ({ changes }: { readonly changes: ReadonlyArray<ChangeRow> }) => (
  <section class="panel" aria-labelledby="changes">
    <h3 id="changes">Events</h3>
    {changes.length === 0 ? (
      <p class="quiet">Nothing has changed since it is watched.</p>
    ) : (
      <ol class="changes">
        {changes.map((change) => (
          <li key={change.id}>
            <time dateTime={new Date(change.at).toISOString()} title={dateOf(change.at)} class="quiet">
              {ago(change.at)}
            </time>{" "}
            {sentenceOf(change)}
          </li>
        ))}
      </ol>
    )}
  </section>
)
