/**
 * Draws a conversation as arrows between its two endpoints. There is no diagram if the list contains datagrams of several conversations.
 */
import { formatConversation } from "@sourcewire/capture"
import { computed } from "@preact/signals"
import { findRow } from "@sourcewire/ui/analysis"
import { type Passed, makeArrows, findBrackets } from "../query/sequence.ts"
import { SequenceDiagram } from "../query/SequenceDiagram.tsx"
import { chooseRow, chosenRow, datagrams, rows, shown } from "./workbench.ts"

/** Maximum number of arrows. A diagram with more arrows is not readable. */
const MAX_ARROWS = 60

/**
 * The endpoints and the arrows of the diagram. `undefined` if the listed datagrams are from several conversations, if the server or a time
 * is unknown, if the list has only one datagram, or if it has more datagrams than {@link MAX_ARROWS}.
 */
const exchange = computed(() => {
  const places = [...new Set(shown.value.flatMap((index) => rows.value[index]!.datagrams))].toSorted((a, b) => a - b)
  const server = rows.value[shown.value.find((index) => rows.value[index]!.server !== undefined) ?? -1]?.server
  const first = datagrams.value[places[0] ?? -1]
  if (server === undefined || first?.timeMs === undefined || places.length < 2 || places.length > MAX_ARROWS)
    return undefined
  const own = formatConversation(first)
  const passed: Array<Passed> = []
  for (const place of places) {
    const datagram = datagrams.value[place]!
    if (datagram.timeMs === undefined || formatConversation(datagram) !== own) return undefined
    const direction = datagram.to === server ? "sent" : "received"
    passed.push({ ...datagram, direction, timeMs: datagram.timeMs - first.timeMs })
  }
  return {
    arrows: makeArrows(passed),
    brackets: findBrackets(passed),
    client: first.from === server ? first.to : first.from,
    places,
    server
  }
})

export const Diagram = () => {
  if (exchange.value === undefined) return null
  const { arrows, brackets, client = "", places, server } = exchange.value
  const chosen = rows.value[chosenRow.value]?.datagrams.at(-1)
  return (
    <details class="diagram">
      <summary>As arrows between both ends</summary>
      <SequenceDiagram
        arrows={arrows}
        brackets={brackets}
        chosen={chosen === undefined ? -1 : places.indexOf(chosen)}
        local={client}
        remote={server}
        choose={(arrow) => chooseRow(rows.value.indexOf(findRow(rows.value, places[arrow]!)!))}
      />
    </details>
  )
}
