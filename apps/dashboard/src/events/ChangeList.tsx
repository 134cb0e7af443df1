/** Changes by day, newest first. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { serverLink } from "../address.ts"
import { messageOf } from "../ask.ts"
import { dateOf, dayOf, nameOf, timeOf } from "../words.ts"
import type { Changes } from "./changes.ts"
import { markOf, sentenceOf } from "./sentence.tsx"

interface ChangeListProps {
  readonly changes: Changes
  /** Requests older changes. */
  readonly more: () => Promise<void>
  /** Whether each change shows the name of its server. */
  readonly named: boolean
}

export const ChangeList = ({ changes: { isAll, known }, more, named }: ChangeListProps) => {
  const trouble = useSignal<string | undefined>(undefined)
  const isAsked = useSignal(false)
  const onMore = async (): Promise<void> => {
    isAsked.value = true
    trouble.value = await more().then(() => undefined, messageOf)
    isAsked.value = false
  }
  const days = [...Map.groupBy(known, ({ at }) => dayOf(at))]
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
  <li class={markOf(change)}>
    <time dateTime={new Date(change.at).toISOString()} title={dateOf(change.at)} class="quiet">
      {timeOf(change.at)}
    </time>
    <span>
      {named && change.address !== undefined && (
        <a href={serverLink(change.target)}>
          <bdi>{nameOf({ address: change.address, ...change })}</bdi>
        </a>
      )}{" "}
      {sentenceOf(change)}
    </span>
  </li>
)
