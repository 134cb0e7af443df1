/** The list of datagrams, as a packet analyser shows it. */
import type { ComponentChild } from "preact"
import { type Row, nameOf } from "../analysis/survey.ts"
import { VirtualList } from "../widgets/VirtualList.tsx"
import { chooseRow, chosenRow, datagrams, rows, shown } from "./workbench.ts"

const ROW_HEIGHT = 26

const HEADS = {
  number: "No.",
  time: "Time, s",
  ends: "From → to",
  size: "Bytes",
  what: "Type",
  reply: "Reply, ms",
  summary: "What it says"
}

export const DatagramList = () => {
  const list = shown.value
  const all = datagrams.value
  const first = all[0]?.timeMs
  const hasTimes = first !== undefined
  const hasEnds = all.some((datagram) => datagram.from !== undefined)
  const columns = (["number", "time", "ends", "size", "what", "reply", "summary"] as const).filter(
    (column) => (column !== "ends" || hasEnds) && ((column !== "time" && column !== "reply") || hasTimes)
  )
  const cells = (row: Row): Readonly<Record<keyof typeof HEADS, ComponentChild>> => {
    const { from, timeMs, to } = all[row.datagrams.at(-1)!]!
    return {
      number: numberOf(row),
      time: timeMs === undefined || first === undefined ? "" : ((timeMs - first) / 1000).toFixed(6),
      ends: (
        <>
          {from} <span aria-label="to">→</span> {to}
        </>
      ),
      size: row.size,
      what: nameOf(row),
      reply: row.replyMs?.toFixed(1) ?? "",
      summary: row.summary
    }
  }
  return (
    <div class="datagram-table">
      <div class="datagram heads" aria-hidden="true">
        {columns.map((column) => (
          <span key={column} class={column}>
            {HEADS[column]}
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
        render={(place) => {
          const index = list[place]!
          const row = rows.value[index]!
          const chosen = index === chosenRow.value
          const cell = cells(row)
          return (
            <div
              key={index}
              id={`datagrams-${place}`}
              class={`datagram ${row.kind}${chosen ? " chosen" : ""}${row.truncated === true ? " truncated" : ""}`}
              role="option"
              aria-selected={chosen}
              aria-posinset={place + 1}
              aria-setsize={list.length}
              onClick={() => chooseRow(index)}
            >
              {columns.map((column) => (
                <span key={column} class={column}>
                  {cell[column]}
                </span>
              ))}
            </div>
          )
        }}
      />
    </div>
  )
}

const numberOf = ({ datagrams }: Row): string =>
  datagrams.length === 1 ? String(datagrams[0]! + 1) : `${datagrams[0]! + 1}–${datagrams.at(-1)! + 1}`
