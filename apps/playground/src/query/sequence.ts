/**
 * An exchange as arrows between two lifelines: what each datagram is, which were sent again, which stayed without an answer.
 */
import { toHex } from "@sourcewire/protocol"
import { nameOf, survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"

export interface Passed extends Datagram {
  readonly direction: "sent" | "received"
  readonly timeMs: number
}

export interface Arrow extends Pick<Passed, "direction" | "timeMs"> {
  /** What it carries, as in `A2S_INFO`. */
  readonly label: string
  /** Further words: what is in it, or what is special. */
  readonly detail: string
  /** Nothing came back before the next was sent, or before the end. */
  readonly unanswered: boolean
  /** The same bytes went the same way before. */
  readonly again: boolean
}

export const arrowsOf = (passed: ReadonlyArray<Passed>): ReadonlyArray<Arrow> => {
  const rows = survey(passed)
  const seen = new Set<string>()
  return passed.map(({ bytes, direction, timeMs }, index) => {
    // That of the datagram itself: a reply's stands behind those of its fragments.
    const row = rows.find(({ datagrams }) => datagrams.at(-1) === index)!
    const key = `${direction} ${toHex(bytes)}`
    const again = seen.has(key)
    seen.add(key)
    const unanswered = direction === "sent" && passed[index + 1]?.direction !== "received"
    return { direction, timeMs, label: nameOf(row), detail: row.summary, unanswered, again }
  })
}

/** Where arrows stand: close ones apart enough to be read, long waits not so long that nothing else is seen. */
export const heightsOf = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<number> => {
  let y = FIRST
  return arrows.map(({ timeMs }, i) => {
    const waited = i === 0 ? 0 : timeMs - arrows[i - 1]!.timeMs
    y += i === 0 ? 0 : Math.min(MAX_GAP, MIN_GAP + Math.sqrt(Math.max(0, waited)) * 1.6)
    return y
  })
}

/** Of the first arrow, below the names of the ends. */
export const FIRST = 44
const MIN_GAP = 25
const MAX_GAP = 72
