/** The machines that share the servers: who asks what, how late, and who is gone. */
import type { FleetStatus, Runner } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Table } from "@sourcewire/playground/widgets"
import { ask, useRepeatedly } from "../ask.ts"
import { useTitle } from "../title.ts"
import { count, lengthOf, plural } from "../words.ts"

/** A length of time in ms; a dash where there is none. */
const length = (ms: number | undefined): string => {
  if (ms === undefined) return "–"
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : lengthOf(ms / 1000)
}

const Condition = ({ alive, report, silentMs }: Runner) => {
  if (!alive) {
    return <span class="state-down">{silentMs === undefined ? "says nothing" : `gone for ${length(silentMs)}`}</span>
  }
  if (report?.storeTrouble !== undefined) return <span class="state-down">cannot write: {report.storeTrouble}</span>
  return <span class="state-up">up {length(report?.upMs)}</span>
}

const cellsOf = (runner: Runner) => {
  const { name, report, self, silentMs = 0, slices } = runner
  return [
    <>
      {name} {self && <small class="quiet">answers you</small>}
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
  "Machine",
  { children: "State", class: "condition" },
  "Slices",
  "Servers",
  "A second",
  { children: "Age 50 %", title: "Half of its servers were asked within this time" },
  { children: "99 %", title: "Of a hundred servers 99 were asked within this time" },
  { children: "Late", title: "How long the server has waited for its turn that has waited longest" },
  { children: "Wrote", title: "When it last wrote to the store" }
]

export const Machines = () => {
  const fleet = useSignal<FleetStatus | undefined>(undefined)
  useTitle("Machines")
  const trouble = useRepeatedly(async (signal) => void (fleet.value = await ask<FleetStatus>("fleet", signal)), [])
  const all = fleet.value
  return (
    <section class="machines" aria-labelledby="machines">
      <div class="heading">
        <h2 id="machines">Machines</h2>
        {all !== undefined && (
          <span class="quiet">
            {plural(all.runners.length, "machine")}, {all.slices} slices of the servers
          </span>
        )}
      </div>
      <Alert text={trouble} />
      <Alert text={all?.trouble} />
      {all !== undefined && all.orphaned > 0 && (
        <Alert text={`${plural(all.orphaned, "slice")} of machines that are gone: others take them within seconds.`} />
      )}
      {all !== undefined && (
        <div class="panel scrolled" role="region" aria-label="Machines and how they do" tabIndex={0}>
          <Table columns={COLUMNS} isNamed rows={all.runners.map(cellsOf)} />
        </div>
      )}
    </section>
  )
}
