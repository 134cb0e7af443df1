/** Finds the rows and the bytes to which findings refer. The functions are pure. */
import { type Diagnosis, type Finding, type Severity, SEVERITIES } from "@sourcewire/diagnosis"
import type { Anatomy, Row, Span } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import { plural } from "@sourcewire/capture"

/**
 * Adds a severity to each row with errors or warnings: the highest severity of these errors and warnings. If a finding refers to a fragment
 * of a reply, the severity is added to the row of the reply, and not to the row of the fragment.
 */
export const withSeverities = (rows: ReadonlyArray<Row>, diagnoses: ReadonlyArray<Diagnosis>): ReadonlyArray<Row> => {
  const severities = new Map<Row, "error" | "warning">()
  for (const { findings } of diagnoses) {
    for (const { places, severity } of findings) {
      if (severity === "note") continue
      for (const index of new Set(places.map(({ datagram }) => findDatagramRow(rows, datagram)))) {
        const row = rows[index]
        if (row !== undefined && severities.get(row) !== "error") severities.set(row, severity)
      }
    }
  }
  return rows.map((row) => {
    const severity = severities.get(row)
    return severity === undefined ? row : { ...row, severity }
  })
}

/**
 * A cache. For each list of rows, it contains a map from the index of a datagram to the index of the row that shows the datagram. If the
 * datagram is a fragment, and the list contains a row for the whole reply, the index of that row is stored.
 */
const indices = new WeakMap<ReadonlyArray<Row>, ReadonlyMap<number, number>>()

/** Returns the index of the row that shows a datagram. Returns -1 if there is no such row. */
export const findDatagramRow = (rows: ReadonlyArray<Row>, datagram: number): number => {
  let index = indices.get(rows)
  if (index === undefined) {
    const made = new Map<number, number>()
    rows.forEach(({ datagrams, kind }, at) => {
      for (const one of datagrams) if (!made.has(one) || kind === "joined" || kind === "broken") made.set(one, at)
    })
    indices.set(rows, (index = made))
  }
  return index.get(datagram) ?? -1
}

/** Returns the places of the bytes to which a finding refers, as spans in the sections of an anatomy. */
export const findSpans = (
  { places }: Finding,
  { sections }: Anatomy,
  datagrams: ReadonlyArray<Datagram>
): ReadonlyArray<Span> =>
  places.flatMap(({ datagram, length, offset }) => {
    const section = sections.findIndex(({ bytes }) => bytes === datagrams[datagram]?.bytes)
    return section < 0 ? [] : [{ section, start: offset, end: offset + length }]
  })

/**
 * The number of findings of each severity as text, such as `1 error, 2 warnings, 1 note`. The text contains the numbers of errors and
 * warnings even if they are 0.
 */
export const tally = (findings: ReadonlyArray<Pick<Finding, "severity">>): string => {
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length
  return SEVERITIES.flatMap((severity) =>
    severity === "note" && count(severity) === 0 ? [] : [plural(count(severity), severity)]
  ).join(", ")
}

/**
 * Sorts the diagnoses of conversations by the severity of their most serious finding. If these severities are equal for two diagnoses, the
 * order of the two diagnoses does not change.
 */
export const bySeverity = (diagnoses: ReadonlyArray<Diagnosis>): ReadonlyArray<Diagnosis> => {
  const rank = ({ findings }: Diagnosis): number =>
    findings.length === 0 ? SEVERITIES.length : SEVERITIES.indexOf(findings[0]!.severity)
  return diagnoses.toSorted((a, b) => rank(a) - rank(b))
}
