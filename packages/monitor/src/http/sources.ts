/** How the sources of targets do, for the API and for Prometheus. */
import { displayText } from "@sourcewire/core/text"
import { NOTHING } from "../sources/FoundList.ts"
import type { Monitor } from "../watch/Monitor.ts"
import type { SourceRow } from "./Api.ts"
import { labelsOf, metric } from "./metrics.ts"

/** Each source of the plan. */
export const sourceRowsOf = ({ lists, plan }: typeof Monitor.Service): ReadonlyArray<SourceRow> =>
  plan().sources.map(({ group, key, kind, name }) => {
    const { missing, status } = lists.get(key) ?? NOTHING
    const { partial, triedAt, trouble, ...counts } = status
    return {
      group,
      name: displayText(name),
      kind,
      servers: missing.size,
      missing: [...missing.values()].filter((lists) => lists > 0).length,
      ...counts,
      ...(trouble === undefined ? {} : { trouble: displayText(trouble) }),
      ...(partial === undefined ? {} : { partial: displayText(partial) }),
      ...(triedAt === 0 ? {} : { triedAt })
    }
  })

/** The lines about sources. Of many machines each tells the same. */
export const sourceMetrics = (monitor: typeof Monitor.Service): string => {
  const rows = sourceRowsOf(monitor)
  const gauge = (name: string, help: string, value: (row: SourceRow) => number | undefined): string =>
    metric(
      `sourcewire_monitor_source_${name}`,
      "gauge",
      help,
      rows.flatMap((row) => {
        const found = value(row)
        return found === undefined ? [] : [[labelsOf({ group: row.group, source: row.name }), found] as const]
      })
    )
  return [
    gauge("servers", "Servers of the source that are watched.", ({ servers }) => servers),
    gauge(
      "left_out",
      "Entries of its last list that nobody can be asked at, or had no room.",
      (row) => row.junk + row.surplus
    ),
    gauge("failures", "Readings of the source that failed, in a row.", ({ failures }) => failures),
    gauge("whole", "Whether its last list was whole.", ({ partial }) => Number(partial === undefined)),
    gauge("success_timestamp_seconds", "When the source was last read with success.", ({ succeededAt }) =>
      succeededAt === undefined ? undefined : succeededAt / 1000
    )
  ].join("")
}
