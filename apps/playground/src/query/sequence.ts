/**
 * Converts an exchange to the arrows of a sequence diagram. Each arrow shows the type of its datagram, and whether the datagram repeats an
 * earlier datagram. The arrow of a request also shows whether there was no reply.
 */
import { toHex } from "@sourcewire/protocol"
import { type Row, formatName, survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"

export interface Passed extends Datagram {
  readonly direction: "sent" | "received"
  readonly timeMs: number
}

export interface Arrow extends Pick<Passed, "direction" | "timeMs"> {
  /** The name of the datagram's message, such as `A2S_INFO`. */
  readonly label: string
  /** A short text about the content of the datagram. */
  readonly detail: string
  /** Whether the request was retransmitted, or the exchange ended, before a reply to the request arrived. */
  readonly unanswered: boolean
  /** Whether an earlier datagram has the same bytes and the same direction. */
  readonly again: boolean
}

/** A bracket that marks the fragments of one reply. `first` and `last` are the indices of the arrows of the first and the last fragment. */
export interface Bracket {
  readonly first: number
  readonly last: number
  /** The name of the joined message, such as `S2A_RULES`. */
  readonly label: string
}

export const findBrackets = (passed: ReadonlyArray<Passed>): ReadonlyArray<Bracket> =>
  survey(passed)
    .filter(({ datagrams, kind }) => kind === "joined" && datagrams.length > 1)
    .map((row) => ({ first: row.datagrams[0]!, last: row.datagrams.at(-1)!, label: formatName(row) }))

/** For each kind of reply: the kind of request that it answers. A reply of any other kind can answer any request. */
const ANSWERS: Readonly<Record<string, string>> = {
  S2A_INFO_SRC: "A2S_INFO",
  S2A_INFO_DETAILED: "A2S_INFO",
  S2A_PLAYER: "A2S_PLAYER",
  S2A_RULES: "A2S_RULES",
  A2A_ACK: "A2A_PING"
}

/**
 * Whether a reply to a request arrives before the request is retransmitted. Several requests can be in flight at the same time. Therefore a
 * reply is ignored if it can only answer another kind of request. For example, `S2A_PLAYER` never answers `A2S_INFO`.
 */
const isAnswered = (names: ReadonlyArray<string>, passed: ReadonlyArray<Passed>, index: number): boolean => {
  for (let later = index + 1; later < passed.length; later++) {
    if (passed[later]!.direction === "received") {
      if ((ANSWERS[names[later]!] ?? names[index]) === names[index]) return true
    } else if (names[later] === names[index]) return false
  }
  return false
}

/** Returns the name of each datagram's message. A fragment of a joined reply has the name of the joined message. */
const listNames = (rows: ReadonlyArray<Row>, count: number): ReadonlyArray<string> => {
  const names = Array.from({ length: count }, () => "")
  for (const row of rows) for (const index of row.datagrams) names[index] = formatName(row)
  return names
}

export const makeArrows = (passed: ReadonlyArray<Passed>): ReadonlyArray<Arrow> => {
  const rows = survey(passed)
  const names = listNames(rows, passed.length)
  const seen = new Set<string>()
  return passed.map(({ bytes, direction, timeMs }, index) => {
    // For the last fragment of a reply, two rows match: the row of the fragment, and the row of the joined reply. `find` returns the row of
    // the fragment, because it is before the row of the joined reply.
    const row = rows.find(({ datagrams }) => datagrams.at(-1) === index)!
    const key = `${direction} ${toHex(bytes)}`
    const again = seen.has(key)
    seen.add(key)
    const unanswered = direction === "sent" && !isAnswered(names, passed, index)
    return { direction, timeMs, label: formatName(row), detail: row.summary, unanswered, again }
  })
}

/**
 * Returns the vertical position of each arrow. The longer the time between two consecutive arrows, the greater is their distance, from
 * `MIN_GAP` to `MAX_GAP`.
 */
export const placeArrows = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<number> => {
  let y = FIRST
  return arrows.map(({ timeMs }, i) => {
    const waited = i === 0 ? 0 : timeMs - arrows[i - 1]!.timeMs
    y += i === 0 ? 0 : Math.min(MAX_GAP, MIN_GAP + Math.sqrt(Math.max(0, waited)) * 1.6)
    return y
  })
}

/** Vertical position of the first arrow. The space above this arrow contains the names of the client and the server. */
export const FIRST = 44
const MIN_GAP = 25
const MAX_GAP = 72
