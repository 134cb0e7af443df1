/**
 * Mutes a server or a group, for a chosen time or until a user ends the mute. The view shows each mute with a button that ends the mute.
 */
import type { MuteRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, Select } from "@sourcewire/ui/widgets"
import { getJson, errorMessage, mute, unmute, useRepeatedly } from "./requests.ts"
import { HOUR_MS, formatMoment } from "./words.ts"

const LENGTHS = { "1": "1 hour", "4": "4 hours", "24": "1 day", "168": "7 days", "": "until unmuted" } as const

/**
 * Interval in milliseconds between requests for the list of mutes. The list is requested repeatedly, because other users can also add and
 * end mutes.
 */
const LEAST_MS = 5000

interface MuteProps {
  /** The address of the server to mute. Absent if the view mutes a whole group. */
  readonly address?: string
  readonly group: string
}

export const Mute = ({ address, group }: MuteProps) => {
  const mutes = useSignal<ReadonlyArray<MuteRow>>([])
  const length = useSignal<keyof typeof LENGTHS>("1")
  const trouble = useSignal<string | undefined>(undefined)
  const read = async (signal: AbortSignal): Promise<void> =>
    void (mutes.value = await getJson<ReadonlyArray<MuteRow>>("mutes", signal))
  useRepeatedly(read, [], { leastMs: LEAST_MS })
  const change = async (work: Promise<unknown>): Promise<void> => {
    trouble.value = await work.then(() => read(new AbortController().signal)).then(() => undefined, errorMessage)
  }
  const own = mutes.value.filter(({ kind, what }) =>
    kind === "group" ? what === group : address !== undefined && what === address
  )
  const onMute = (): Promise<void> => {
    const until = length.value === "" ? {} : { until: Date.now() + Number(length.value) * HOUR_MS }
    return change(mute({ ...(address === undefined ? { group } : { address }), ...until }))
  }
  return (
    <span class="bar">
      {own.map(({ id, kind, until }) => (
        <span key={id} class="bar">
          <span class="pill state-muted">
            {kind === "group" ? "group muted" : "muted"}{" "}
            {until === undefined ? "until unmuted" : `until ${formatMoment(until)}`}
          </span>
          <Button onClick={() => void change(unmute(id))}>{kind === "group" ? "Unmute group" : "Unmute"}</Button>
        </span>
      ))}
      {own.length === 0 && (
        <>
          <Button onClick={() => void onMute()}>{address === undefined ? "Mute group" : "Mute"}</Button>
          <Select
            label="Mute for"
            value={length.value}
            options={LENGTHS}
            choose={(chosen) => void (length.value = chosen)}
          />
        </>
      )}
      <Alert text={trouble.value} />
    </span>
  )
}
