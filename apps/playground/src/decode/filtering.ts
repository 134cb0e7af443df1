/** Filters the rows of the list by server or conversation, by type, by words, and by whether a row has an error or a warning. */
import { signal } from "@preact/signals"
import { type Filter, formatConversation, passing as passingLines } from "@sourcewire/capture"
import { isFaulty, findLastDatagram, formatName, type Row } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"

const EVERYTHING: Filter = { words: "", ends: "", type: "", faulty: false }

export const filter = signal(EVERYTHING)

export const narrow = (part: Partial<Filter>): void => void (filter.value = { ...filter.value, ...part })

export const widen = (): void => void (filter.value = EVERYTHING)

export const passing = (
  rows: ReadonlyArray<Row>,
  datagrams: ReadonlyArray<Datagram>,
  filter: Filter
): ReadonlyArray<number> => {
  const passes = passingLines(filter)
  return rows.flatMap((row, i) => {
    const { from, to } = findLastDatagram(row, datagrams)
    const { summary, tag } = row
    return passes({ from, to, name: formatName(row), tag, summary, isFaulty: isFaulty(row) }) ? [i] : []
  })
}

/**
 * The choices of each filter. A choice is a value, such as a type, and the number of rows with this value. The most frequent value is
 * first.
 */
export const listChoices = (rows: ReadonlyArray<Row>, datagrams: ReadonlyArray<Datagram>) => {
  const counted = (names: ReadonlyArray<string | undefined>): ReadonlyArray<readonly [name: string, rows: number]> =>
    [...Map.groupBy(names, (name) => name)]
      .flatMap(([name, same]) => (name === undefined ? [] : [[name, same.length] as const]))
      .toSorted((a, b) => b[1] - a[1])
  return {
    servers: counted(rows.map(({ server }) => server)),
    conversations: counted(rows.map((row) => formatConversation(findLastDatagram(row, datagrams)))),
    types: counted(rows.map(formatName))
  }
}

/**
 * Returns the index of the nearest row with an error or a warning. If `step` is 1, the row is after the row `from`. If `step` is -1, the
 * row is before the row `from`. `undefined` if there is no such row.
 */
export const nextFaulty = (
  rows: ReadonlyArray<Row>,
  shown: ReadonlyArray<number>,
  from: number,
  step: 1 | -1
): number | undefined =>
  (step === 1 ? shown : shown.toReversed()).find((index) => (index - from) * step > 0 && isFaulty(rows[index]!))
