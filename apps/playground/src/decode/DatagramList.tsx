/** The list of datagrams, with their numbers, times, endpoints, sizes, types, reply times and contents. */
import type { ComponentChild } from "preact"
import { findLastDatagram, formatName, type Row, findSeverity } from "@sourcewire/ui/analysis"
import { VirtualList } from "@sourcewire/ui/widgets"
import { chooseRow, chosenRow, datagrams, rows, shown } from "./workbench.ts"

const ROW_HEIGHT = 26

type Column = readonly [name: string, head: string, cell: (row: Row) => ComponentChild]

export const DatagramList = () => {
  const list = shown.value
  const all = datagrams.value
  const first = all[0]?.timeMs
  const hasTimes = first !== undefined
  const hasEnds = all.some((datagram) => datagram.from !== undefined)
  const time = (row: Row): string => {
    const { timeMs } = findLastDatagram(row, all)
    return timeMs === undefined || first === undefined ? "" : ((timeMs - first) / 1000).toFixed(6)
  }
  const ends = (row: Row) => (
    <>
      {findLastDatagram(row, all).from} <span aria-label="to">→</span> {findLastDatagram(row, all).to}
    </>
  )
  const columns: ReadonlyArray<Column> = [
    ["number", "No.", formatNumber],
    ...(hasTimes ? [["time", "Time, s", time] as Column] : []),
    ...(hasEnds ? [["ends", "From → to", ends] as Column] : []),
    ["size", "Bytes", ({ size }) => size],
    ["what", "Type", formatName],
    ...(hasTimes ? [["reply", "Reply, ms", ({ replyMs }) => replyMs?.toFixed(1)] as Column] : []),
    ["summary", "Content", ({ summary }) => summary]
  ]
  return (
    <div class="datagram-table">
      <div class="datagram heads" aria-hidden="true">
        {columns.map(([name, head]) => (
          <span key={name} class={name}>
            {head}
          </span>
        ))}
      </div>
      <VirtualList
        id="datagrams"
        label="Datagrams"
        role="listbox"
        class={`datagrams rows-${Math.min(Math.max(1, rows.value.length), 8)}${hasEnds ? " with-ends" : ""}`}
        count={list.length}
        rowHeight={ROW_HEIGHT}
        active={list.indexOf(chosenRow.value)}
        onMove={(place) => chooseRow(list[place]!)}
        render={(place, attributes) => {
          const index = list[place]!
          const row = rows.value[index]!
          const chosen = index === chosenRow.value
          return (
            <div
              key={index}
              {...attributes}
              class={`datagram ${row.kind}${chosen ? " chosen" : ""}${row.truncated === true ? " truncated" : ""} ${findSeverity(row) ?? ""}`}
              onClick={() => chooseRow(index)}
            >
              {columns.map(([name, , cell]) => (
                <span key={name} class={name}>
                  {cell(row)}
                </span>
              ))}
            </div>
          )
        }}
      />
    </div>
  )
}

const formatNumber = ({ datagrams }: Row): string =>
  datagrams.length === 1 ? String(datagrams[0]! + 1) : `${datagrams[0]! + 1}–${datagrams.at(-1)! + 1}`
