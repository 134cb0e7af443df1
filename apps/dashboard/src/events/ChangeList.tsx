/** A list of changes, grouped by day. The newest change is first. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { serverLink } from "../address.ts"
import { errorMessage } from "../requests.ts"
import { formatTime } from "@sourcewire/ui/times"
import { formatDate, formatDay, displayName } from "../words.ts"
import type { Changes } from "./changes.ts"
import { markClass, formatSentence } from "./sentence.tsx"

interface ChangeListProps {
  readonly changes: Changes
  /** Loads the next older changes. */
  readonly more: () => Promise<void>
  /** Whether each change shows the name of its server. */
  readonly named: boolean
}

export const ChangeList = ({ changes: { isAll, known }, more, named }: ChangeListProps) => {
  const trouble = useSignal<string | undefined>(undefined)
  const isAsked = useSignal(false)
  const onMore = async (): Promise<void> => {
    isAsked.value = true
    trouble.value = await more().then(() => undefined, errorMessage)
    isAsked.value = false
  }
  const days = [...Map.groupBy(known, ({ at }) => formatDay(at))]
  return (
    <>
      {days.map(([day, changes]) => (
        <section key={day} class="day" aria-label={day}>
          <h4>{day}</h4>
          <ol class="changes">
            {changes.map((change) => (
              <Line key={change.id} change={change} named={named} />
            ))}
          </ol>
        </section>
      ))}
      <Alert text={trouble.value} />
      {!isAll && known.length > 0 && (
        <Button class="older" aria-disabled={isAsked.value} onClick={() => !isAsked.value && void onMore()}>
          Older
        </Button>
      )}
    </>
  )
}

const Line = ({ change, named }: { readonly change: ChangeRow; readonly named: boolean }) => (
  <li class={markClass(change)}>
    <time dateTime={new Date(change.at).toISOString()} title={formatDate(change.at)} class="quiet">
      {formatTime(change.at)}
    </time>
    <span>
      {named && change.address !== undefined && (
        <a href={serverLink(change.target)}>
          <bdi>{displayName({ address: change.address, ...change })}</bdi>
        </a>
      )}{" "}
      {formatSentence(change)}
    </span>
  </li>
)
