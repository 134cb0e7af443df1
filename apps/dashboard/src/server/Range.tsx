/** Selects the period of a server's history. The period is one of four periods that end now, or a custom period. */
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { place, setParameters } from "../address.ts"
import { DAY_MS, MINUTE_MS, ZONE } from "../words.ts"

/** The titles of the four periods that end now. Each key is the length of a period in days. */
const PERIODS = { "1": "24 hours", "7": "7 days", "30": "30 days", "90": "90 days" } as const

/** The minimum length of a period in milliseconds. */
const LEAST_MS = 15 * MINUTE_MS

/** The period that the URL contains. */
export interface Chosen {
  /** The number of days, if one of the four periods is selected. Absent for a custom period. */
  readonly days?: keyof typeof PERIODS
  /**
   * Returns the start and the end of the period as Unix times in milliseconds. If the user has selected one of the four periods, the period
   * ends at the time of the call.
   */
  readonly span: () => readonly [from: number, to: number]
}

/** Reads the period from the URL. */
export const chosenRange = (): Chosen => {
  const { parameters } = place.value
  const [from, to] = ["from", "to"].map((name) => Number(parameters.get(name) ?? Number.NaN)) as [number, number]
  if (to - from >= LEAST_MS) return { span: () => [from, to] }
  const wanted = parameters.get("days") ?? "1"
  const days = Object.hasOwn(PERIODS, wanted) ? (wanted as keyof typeof PERIODS) : "1"
  return {
    days,
    span: () => {
      const now = Date.now()
      return [now - Number(days) * DAY_MS, now]
    }
  }
}

/**
 * Selects a custom period. The start and the end are Unix times in milliseconds. If the period is shorter than {@link LEAST_MS}, its start
 * is moved back, so that the period has this length.
 */
export const chooseRange = (from: number, to: number): void => {
  const start = Math.floor(Math.min(from, to - LEAST_MS) / MINUTE_MS) * MINUTE_MS
  setParameters({ days: "", from: String(start), to: String(Math.ceil(to / MINUTE_MS) * MINUTE_MS) })
}

/** Formats a Unix time in milliseconds for an input of the type `datetime-local`, in the reader's time zone. */
const formatLocal = (at: number): string => {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/**
 * The buttons for the four periods, and two fields for a custom period. `shown` contains the start and the end of the current period, as
 * Unix times in milliseconds.
 */
export const RangePicker = ({ shown: [from, to] }: { readonly shown: readonly [from: number, to: number] }) => {
  const { days } = chosenRange()
  const trouble = useSignal<string | undefined>(undefined)
  const form = (event: Event): void => {
    event.preventDefault()
    const values = new FormData(event.currentTarget as HTMLFormElement)
    const [start, end] = ["from", "to"].map((name) => Date.parse(String(values.get(name)))) as [number, number]
    trouble.value = end - start >= LEAST_MS ? undefined : "The period must be 15 minutes or longer."
    if (trouble.value === undefined) chooseRange(start, end)
  }
  return (
    <div class="spans">
      <div class="bar" role="group" aria-label="Period">
        {Object.entries(PERIODS).map(([value, title]) => (
          <Button
            key={value}
            aria-pressed={days === value}
            onClick={() => setParameters({ days: value === "1" ? "" : value, from: "", to: "" })}
          >
            {title}
          </Button>
        ))}
      </div>
      <form key={days === undefined ? `${from}-${to}` : days} class="bar" aria-label="Other period" onSubmit={form}>
        <input name="from" type="datetime-local" aria-label="From" required defaultValue={formatLocal(from)} />
        <span aria-hidden="true">to</span>
        <input name="to" type="datetime-local" aria-label="To" required defaultValue={formatLocal(to)} />
        <button type="submit" aria-pressed={days === undefined}>
          Show
        </button>
      </form>
      <span class="quiet">Times in {ZONE}</span>
      <Alert text={trouble.value} />
    </div>
  )
}
