/**
 * Shows when a server has the most players. The table contains the average number of players for each hour of each weekday. The averages
 * are from the last four weeks. The hours are in the reader's time zone.
 */
import type { Sample } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { getJson, useRepeatedly } from "../requests.ts"
import { DAY_MS, HOUR_MS } from "../words.ts"
import { busyHours, type BusyHour } from "./busy.ts"

const DAYS = 28
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Number of columns below each title of the table. The titles are 00:00, 06:00, 12:00 and 18:00. */
const TITLED = 6

/** The name of the weekday with this number. The number of Monday is 0. */
const formatWeekday = (weekday: number, style: "short" | "long"): string =>
  new Intl.DateTimeFormat(undefined, { weekday: style, timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + weekday))

const two = (value: number): string => String(value).padStart(2, "0")

const formatText = ({ hour, mean, weekday }: BusyHour): string => {
  const players = mean === undefined ? "not monitored" : `${mean.toFixed(1)} players`
  return `${formatWeekday(weekday, "long")}, ${two(hour)}:00 to ${two((hour + 1) % 24)}:00: ${players}`
}

export const BusyHours = ({ id }: { readonly id: string }) => {
  const samples = useSignal<ReadonlyArray<Sample> | undefined>(undefined)
  useRepeatedly(
    async (signal) => {
      const from = Date.now() - DAYS * DAY_MS
      const reply = await getJson<{ readonly samples: ReadonlyArray<Sample> }>(
        `targets/${id}/samples?step=1h&from=${from}`,
        signal
      )
      samples.value = reply.samples
    },
    [id],
    { leastMs: HOUR_MS }
  )
  if (samples.value === undefined) return null
  const { busiest, hours, isEnough } = busyHours(samples.value)
  return (
    <figure class="plot busy">
      <figcaption>
        Busiest hours <span class="quiet">{busiest === undefined || !isEnough ? "" : formatText(busiest)}</span>
      </figcaption>
      {isEnough ? (
        <table aria-label={`Players by weekday and hour, last ${DAYS} days`}>
          <thead>
            <tr>
              <td class="corner" />
              {HOURS.filter((hour) => hour % TITLED === 0).map((hour) => (
                <th key={hour} scope="colgroup" colSpan={TITLED}>
                  {two(hour)}:00
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((row, weekday) => (
              <tr key={weekday}>
                <th scope="row">{formatWeekday(weekday, "short")}</th>
                {row.map((one) => (
                  <td
                    key={one.hour}
                    class={one.mean === undefined ? "unmonitored" : undefined}
                    style={{ "--share": `${Math.round(100 * one.share)}%` }}
                    title={formatText(one)}
                  >
                    <span class="hidden">{one.mean?.toFixed(1) ?? "not monitored"}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="quiet">Available after one day of data.</p>
      )}
    </figure>
  )
}
