/** The list of datagrams, as a packet analyser shows it. */
import { type Row, nameOf } from "../analysis/survey.ts"
import { VirtualList } from "../widgets/VirtualList.tsx"
import { chooseRow, chosenRow, datagrams, rows } from "./workbench.ts"

const ROW_HEIGHT = 26

export const DatagramList = () => {
  const list = rows.value
  const all = datagrams.value
  const first = all[0]?.timeMs
  const hasEnds = all.some((datagram) => datagram.from !== undefined)
  return (
    <VirtualList
      id="datagrams"
      label="Datagrams"
      role="listbox"
      class={`datagrams rows-${Math.min(list.length, 8)}${hasEnds ? " with-ends" : ""}`}
      count={list.length}
      rowHeight={ROW_HEIGHT}
      active={chosenRow.value}
      onMove={chooseRow}
      render={(index) => {
        const row = list[index]!
        const datagram = all[row.datagrams.at(-1)!]!
        const chosen = index === chosenRow.value
        return (
          <div
            key={index}
            id={`datagrams-${index}`}
            class={`datagram ${row.kind}${chosen ? " chosen" : ""}${row.truncated === true ? " truncated" : ""}`}
            role="option"
            aria-selected={chosen}
            aria-posinset={index + 1}
            aria-setsize={list.length}
            onClick={() => chooseRow(index)}
          >
            <span class="number">{numberOf(row)}</span>
            {datagram.timeMs === undefined || first === undefined ? null : (
              <span class="time">{((datagram.timeMs - first) / 1000).toFixed(6)}</span>
            )}
            {hasEnds ? (
              <span class="ends">
                {datagram.from} <span aria-label="to">→</span> {datagram.to}
              </span>
            ) : null}
            <span class="size">{row.size}</span>
            <span class="what">{nameOf(row)}</span>
            <span class="summary">{row.summary}</span>
          </div>
        )
      }}
    />
  )
}

const numberOf = ({ datagrams }: Row): string =>
  datagrams.length === 1 ? String(datagrams[0]! + 1) : `${datagrams[0]! + 1}–${datagrams.at(-1)! + 1}`
