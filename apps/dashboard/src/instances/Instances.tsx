/**
 * The view of the monitor's instances that share a store. For each instance, the view shows for example whether the instance is running,
 * how many servers it queries, and the delay of these queries.
 */
import type { FleetStatus, Runner } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Table } from "@sourcewire/ui/widgets"
import { getJson, useRepeatedly } from "../requests.ts"
import { useTitle } from "../title.ts"
import { count, formatLength, plural } from "../words.ts"

/** A length of time in milliseconds as text. If the length is unknown, the text is a dash. */
const length = (ms: number | undefined): string => {
  if (ms === undefined) return "–"
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatLength(ms / 1000)
}

const Condition = ({ alive, report, silentMs }: Runner) => {
  if (!alive) {
    return <span class="state-down">{silentMs === undefined ? "no report" : `no report for ${length(silentMs)}`}</span>
  }
  if (report?.storeTrouble !== undefined) return <span class="state-down">cannot write to the store</span>
  return <span class="state-up">up {length(report?.upMs)}</span>
}

const renderCells = (runner: Runner) => {
  const { name, report, self, silentMs = 0, slices } = runner
  return [
    <>
      <bdi>{name}</bdi> {self && <small class="quiet">this instance</small>}
      <small class="quiet">{[report?.location, report?.version].filter((one) => one !== undefined).join(" · ")}</small>
    </>,
    <Condition {...runner} />,
    slices,
    count(report?.targets),
    count(report?.perSecond),
    length(report?.ages?.p50Ms),
    length(report?.ages?.p99Ms),
    length(report?.lagMs),
    length(report?.wroteMs === undefined ? undefined : report.wroteMs + silentMs)
  ]
}

const COLUMNS = [
  "Instance",
  { children: "State", class: "condition" },
  "Slices",
  "Servers",
  "Queries/s",
  { children: "Age, median", title: "Time since the last query: half of the servers are below this value" },
  { children: "Age, 99 %", title: "Time since the last query: 99 of 100 servers are below this value" },
  { children: "Delay", title: "Longest time that a server has waited for its query after it was due" },
  { children: "Last write", title: "Time since the last write to the store" }
]

export const Instances = () => {
  const fleet = useSignal<FleetStatus | undefined>(undefined)
  useTitle("Instances")
  const trouble = useRepeatedly(async (signal) => void (fleet.value = await getJson<FleetStatus>("fleet", signal)), [])
  const all = fleet.value
  return (
    <section class="instances" aria-labelledby="instances">
      <div class="heading">
        <h2 id="instances">Instances</h2>
        {all !== undefined && (
          <span class="quiet">
            {plural(all.runners.length, "instance")}, {plural(all.slices, "slice")}
          </span>
        )}
      </div>
      <Alert text={trouble} />
      <Alert text={all?.trouble} />
      {all !== undefined && all.orphaned > 0 && (
        <Alert
          text={`${plural(all.orphaned, "slice")} of stopped instances. Other instances take them over within seconds.`}
        />
      )}
      {all !== undefined && (
        <div class="panel scrolled" role="region" aria-label="Instances and their state" tabIndex={0}>
          <Table columns={COLUMNS} isNamed rows={all.runners.map(renderCells)} />
        </div>
      )}
    </section>
  )
}
