/** The state of the sources, for the API and for Prometheus. */
import { displayText } from "@sourcewire/core/text"
import { NOTHING } from "../sources/FoundList.ts"
import type { Monitor } from "../watch/Monitor.ts"
import type { SourceRow } from "./Api.ts"
import { formatLabels, formatLines, type Metric } from "./metrics.ts"

/** Returns the state of each source in the plan. */
export const listSourceRows = ({ lists, plan }: typeof Monitor.Service): ReadonlyArray<SourceRow> =>
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

/** Messages about sources whose last list was rejected. */
export const sourceWarnings = (monitor: typeof Monitor.Service): ReadonlyArray<string> =>
  listSourceRows(monitor).flatMap(({ group, name, rejected, servers }) =>
    rejected === undefined
      ? []
      : [
          `The new list of group ${group} (${name}) is rejected: ${rejected.lost} of ${servers} servers are missing from it. The old list stays in use.`
        ]
  )

const SOURCE: ReadonlyArray<Metric<SourceRow>> = [
  ["servers", "Monitored servers of the source.", ({ servers }) => servers],
  [
    "left_out",
    "Entries of the last list that are not valid addresses, or exceed `max`.",
    (row) => row.junk + row.surplus
  ],
  ["failures", "Consecutive failures to read the source.", ({ failures }) => failures],
  [
    "rejected",
    "Servers that are missing from the last list, if it was rejected for this reason; otherwise 0.",
    ({ rejected }) => rejected?.lost ?? 0
  ],
  ["whole", "1 if the last list was complete, otherwise 0.", ({ partial }) => Number(partial === undefined)],
  [
    "success_timestamp_seconds",
    "Time when the source was last read successfully.",
    ({ succeededAt }) => succeededAt && succeededAt / 1000
  ]
]

/** The metrics of the sources. All instances of a fleet export the same values. */
export const sourceMetrics = (monitor: typeof Monitor.Service): string =>
  formatLines("monitor_source", SOURCE, listSourceRows(monitor), ({ group, name }) =>
    formatLabels({ group, source: name })
  )
