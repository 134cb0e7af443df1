/** Shows the age of the values on the page, and a banner if the monitor does not reply. */
import { Alert } from "@sourcewire/ui/widgets"
import { isUnreachable, now, repliedAt } from "./live.ts"
import { formatTime } from "@sourcewire/ui/times"
import { formatDate, DAY_MS, formatLength } from "./words.ts"

const age = (): string => formatLength(Math.max(0, now.value - repliedAt.value) / 1000)

/** The time since the monitor's last reply, such as `updated 2 s ago`. */
export const Connection = () => (
  <span class={`updated ${isUnreachable.value ? "is-silent" : ""}`} title={formatDate(repliedAt.value)}>
    updated {age()} ago
  </span>
)

export const NoConnection = () => {
  if (!isUnreachable.value) return null
  const at = repliedAt.value
  const since = now.value - at < DAY_MS ? formatTime(at) : formatDate(at)
  return <Alert text={`No connection to the monitor since ${since}. The values below are from that time.`} />
}
