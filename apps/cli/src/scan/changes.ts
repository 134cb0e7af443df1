/**
 * Finds the changes of servers between two rounds of `scan --watch`: a player joins or leaves, the map or the name of the server changes,
 * or a server stops responding or responds again.
 */
import { uncoloured } from "../output/text.ts"
import type { ResultLine } from "./resultLine.ts"

export interface Change {
  readonly address: string
  readonly event: "joined" | "left" | "map" | "name" | "gone" | "back"
  /** The value before the change: the map, the server's name, or the number of players. Absent if the event is `gone` or `back`. */
  readonly from?: string | number
  /** The value after the change. Absent if the event is `gone` or `back`. */
  readonly to?: string | number
  /**
   * Names of the players who joined (event `joined`) or left (event `left`). Absent for all other events, and if the result before or after
   * the change contains no list of players.
   */
  readonly players?: ReadonlyArray<string>
}

/** Describes a change as text that is safe for a terminal. */
export const changeWords = ({ event, from, players, to }: Change): string => {
  const what = players === undefined ? "" : ` ${players.map(uncoloured).join(", ")}`
  const step = from === undefined ? "" : ` ${uncoloured(String(from))} → ${uncoloured(String(to))}`
  return `${event}${what}${step}`
}

const summarize = ({ info, ok, players: list }: ResultLine) => {
  const players = list?.players.map(({ name }) => name)
  return { isAlive: ok, name: info?.name, map: info?.map, count: info?.players ?? players?.length, players }
}

type Summary = ReturnType<typeof summarize>

/**
 * Returns the names that are in `after`, but not in `before`. A name can occur several times: if `before` contains it once and `after`
 * three times, it is returned twice.
 */
const added = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...before]
  return after.filter((name) => {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

const playerChanges = (address: string, before: Summary, after: Summary): ReadonlyArray<Change> => {
  const [from, to] = [before.count, after.count]
  if (from === undefined || to === undefined) return []
  if (before.players === undefined || after.players === undefined) {
    return from === to ? [] : [{ address, event: to > from ? "joined" : "left", from, to }]
  }
  const joined = added(before.players, after.players)
  const left = added(after.players, before.players)
  return [
    ...(left.length === 0 ? [] : [{ address, event: "left", from, to, players: left } as const]),
    ...(joined.length === 0 ? [] : [{ address, event: "joined", from, to, players: joined } as const])
  ]
}

export class Changes {
  private readonly known = new Map<string, Summary>()

  /**
   * Compares a result with the previous result of the same server, and returns the changes. If the server has no previous result, returns
   * no changes.
   */
  of(line: ResultLine): ReadonlyArray<Change> {
    const { address } = line
    const before = this.known.get(address)
    const after = summarize(line)
    this.known.set(address, after)
    if (before === undefined) return []
    if (before.isAlive !== after.isAlive) return [{ address, event: after.isAlive ? "back" : "gone" }]
    const texts = (["name", "map"] as const).flatMap((event) => {
      const [from, to] = [before[event], after[event]]
      return from === undefined || to === undefined || from === to ? [] : [{ address, event, from, to }]
    })
    return [...texts, ...playerChanges(address, before, after)]
  }
}
