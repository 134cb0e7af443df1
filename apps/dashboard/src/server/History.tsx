/**
 * Plots the history of a server: its players (with maps, events and outages), its RTT, and its availability. The user can add other servers
 * for comparison.
 */
import type { ChangeRow, IncidentRow, Sample, TargetDetail } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { type Span, united } from "@sourcewire/ui/spans"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { useEffect } from "preact/hooks"
import { place, setParameters } from "../address.ts"
import { getJson, useRepeatedly } from "../requests.ts"
import { ServerSearch } from "../ServerSearch.tsx"
import { HOUR_MS, formatMoment, displayName } from "../words.ts"
import { listBands } from "./bands.ts"
import { BusyHours } from "./BusyHours.tsx"
import { EventMarks, MapBands } from "./MapBands.tsx"
import { AVAILABILITY, PLAYERS, ROUND_TRIP } from "./measures.ts"
import { type Compared, Plot } from "./Plot.tsx"
import { chooseRange, chosenRange, RangePicker } from "./Range.tsx"
import { listCells, shownSpan, listOutages } from "./series.ts"
import { Strip } from "./Strip.tsx"

/**
 * Pause in milliseconds between two requests for the history. A plot has at most one new value every five minutes, so two requests per
 * minute are enough.
 */
const LEAST_MS = 30_000
/** The page loads at most this number of incidents. It also loads at most this number of changes of each kind (map, version and name). */
const MOST = 1000
const MOST_COMPARED = 3
/**
 * If all cells of the strip of states have the same length, the strip has at most this number of cells. If its first and last cells are
 * shorter than the others, the strip can have one more cell.
 */
const CELLS = 96
/** Height of the plot of players, in CSS pixels. */
const WIDE_HEIGHT = 240

interface Loaded {
  readonly stepMs: number
  readonly samples: ReadonlyArray<Sample>
}

interface Past extends Loaded {
  /** The period that was requested, as Unix times in seconds. */
  readonly span: Span
  readonly isUpToNow: boolean
  readonly incidents: ReadonlyArray<IncidentRow>
  readonly maps: ReadonlyArray<ChangeRow>
  /** The changes of the server's name and of its version. */
  readonly events: ReadonlyArray<ChangeRow>
  /** The samples of each location. Empty if only one location queries the server. */
  readonly apart: ReadonlyArray<{ readonly location: string; readonly samples: ReadonlyArray<Sample> }>
  readonly compared: ReadonlyArray<Compared>
}

interface HistoryProps {
  readonly id: string
  /** The map that the server runs now. `undefined` if the server is not up. */
  readonly map: string | undefined
  /** The locations that query the server. Empty if there is only one location. */
  readonly locations: ReadonlyArray<string>
}

const comparedIds = (): ReadonlyArray<string> =>
  (place.value.parameters.get("compare") ?? "")
    .split(",")
    .filter((id) => /^\d{1,9}$/.test(id))
    .slice(0, MOST_COMPARED)

export const History = ({ id, locations, map }: HistoryProps) => {
  const chosen = chosenRange()
  const past = useSignal<Past | undefined>(undefined)
  const ids = comparedIds()
  const names = useSignal<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    const controller = new AbortController()
    for (const one of ids) {
      if (names.value.has(one)) continue
      getJson<TargetDetail>(`targets/${one}`, controller.signal).then(
        ({ target }) => void (names.value = new Map([...names.value, [one, displayName(target)]])),
        // If a compared server is no longer monitored, the request for its name fails. Then the page shows the number of this server
        // instead of the name.
        () => {}
      )
    }
    return () => controller.abort()
  }, [ids.join()])
  const trouble = useRepeatedly(
    async (signal) => {
      const [from, to] = chosen.span()
      const loadSamples = async (id: string, more = ""): Promise<Loaded> => {
        const path = `targets/${id}/samples?from=${from}&to=${to}${more}`
        const loaded = await getJson<Loaded>(path, signal)
        // The monitor stores hourly samples for a longer time than five-minute samples. Therefore, if the monitor has no five-minute
        // samples of the period, the page requests hourly samples.
        return loaded.samples.length > 0 || loaded.stepMs >= HOUR_MS
          ? loaded
          : getJson<Loaded>(`${path}&step=1h`, signal)
      }
      const loadChanges = (field: ChangeRow["field"]) =>
        getJson<ReadonlyArray<ChangeRow>>(
          `changes?target=${id}&field=${field}&before=${Math.ceil(to) * 1000}&limit=${MOST}`,
          signal
        )
      const loaded = await loadSamples(id)
      const step = loaded.stepMs >= HOUR_MS ? "&step=1h" : "&step=5m"
      const [{ incidents }, maps, versions, renames, apart, compared] = await Promise.all([
        getJson<{ readonly incidents: ReadonlyArray<IncidentRow> }>(
          `incidents?target=${id}&from=${from}&to=${to}&limit=${MOST}`,
          signal
        ),
        loadChanges("map"),
        loadChanges("version"),
        loadChanges("name"),
        Promise.all(
          locations.map(async (location) => {
            const { samples } = await loadSamples(id, `&location=${encodeURIComponent(location)}`)
            return { location, samples }
          })
        ),
        Promise.all(ids.map(async (one) => ({ id: one, samples: (await loadSamples(one, step)).samples })))
      ])
      past.value = {
        ...loaded,
        span: [from / 1000, to / 1000],
        isUpToNow: chosen.days !== undefined,
        incidents,
        maps,
        events: [...versions, ...renames],
        apart,
        compared: compared.map(({ id: one, samples }) => ({ id: Number(one), name: one, samples }))
      }
    },
    [place.value.parameters.toString(), locations.join()],
    { leastMs: LEAST_MS }
  )
  const shown = past.value
  return (
    <section aria-label="History">
      <RangePicker shown={chosen.span()} />
      <Alert text={trouble} />
      {shown !== undefined && (
        <Plots
          {...shown}
          present={map}
          compared={shown.compared.map((one) => ({ ...one, name: names.value.get(one.name) ?? `Server ${one.name}` }))}
        />
      )}
      <div class="bar compare">
        {ids.map((one) => (
          <Button key={one} onClick={() => setParameters({ compare: ids.filter((other) => other !== one).join() })}>
            <bdi>{names.value.get(one) ?? `Server ${one}`}</bdi> ✕
          </Button>
        ))}
        {ids.length < MOST_COMPARED && (
          <ServerSearch
            label="Compare with a server: name or address, or a part of it"
            placeholder="Compare with a server"
            choose={(row) => {
              if (String(row.id) !== id) setParameters({ compare: [...new Set([...ids, String(row.id)])].join() })
            }}
          />
        )}
      </div>
      <BusyHours id={id} />
    </section>
  )
}

const Plots = (props: Past & { readonly present: string | undefined }) => {
  const { apart, compared, events, incidents, isUpToNow, maps, present, samples, stepMs } = props
  if (samples.length === 0) return <p class="notice">No data in this period yet.</p>
  const span = isUpToNow ? shownSpan(samples, props.span) : props.span
  const outages = united([
    ...listOutages(samples, stepMs),
    ...incidents.map(({ from, isOngoing, to }) => [from / 1000, isOngoing ? span[1] : (to ?? from) / 1000] as const)
  ])
  const common = { samples, span, stepMs, outages }
  const bands = listBands(maps, maps.length < MOST, [Math.max(span[0], samples[0]!.at / 1000), span[1]], present)
  return (
    <>
      <Plot
        {...common}
        {...PLAYERS}
        height={WIDE_HEIGHT}
        compared={compared}
        describeMore={(at) => bands.find(({ span: [from, to] }) => from <= at && at <= to)?.map}
        onSelect={(from, to) => chooseRange(from * 1000, to * 1000)}
        above={
          <>
            <MapBands bands={bands} span={span} />
            <EventMarks changes={events} span={span} />
          </>
        }
        below={
          <Strip cells={listCells(samples, span, stepMs, CELLS)} summary={`Uptime: ${AVAILABILITY.summary(samples)}`} />
        }
      />
      <p class="quiet hint">
        {span[0] !== props.span[0] && `The first data is from ${formatMoment(samples[0]!.at)}. `}
        Drag across the plot to show a part of it.
      </p>
      <div class="plots">
        {apart.length === 0 && <Plot {...common} {...ROUND_TRIP} />}
        <Plot {...common} {...AVAILABILITY} />
        {apart.map(({ location, samples }) => (
          <Plot key={location} {...common} {...ROUND_TRIP} samples={samples} title={`RTT from ${location}`} />
        ))}
      </div>
    </>
  )
}
