/** Merges the players of A2S_PLAYER with the players of the console's `status`. The result names the source of each value. */
import { demand, tryCondition, isObject, isText, optional } from "../edge.ts"
import type { PlayersReply } from "@sourcewire/protocol"
import type { ServerStatus, StatusPlayer } from "./ServerStatus.ts"

/** The source of a value: A2S_PLAYER (`a2s`), or the console (`rcon`). */
export type RosterSource = "a2s" | "rcon"

export interface RosterValues extends Pick<
  StatusPlayer,
  "name" | "connectedSeconds" | "loss" | "ping" | "score" | "state" | "steamId" | "userId"
> {
  readonly isBot: boolean
}

/** A player, and the source of each value. */
export interface RosterEntry extends Partial<RosterValues> {
  readonly name: string
  readonly sources: { readonly [K in keyof RosterValues]?: RosterSource }
}

type Values = { readonly [K in keyof RosterValues]?: RosterValues[K] | undefined }

/**
 * Merges the values of one player from both sources. If both sources contain a value, the value of the console is used. Values that neither
 * source contains are absent.
 */
const mergeValues = (a2s: Values, rcon: Values): RosterEntry => {
  const values: Record<string, unknown> = {}
  const sources: Record<string, RosterSource> = {}
  for (const [source, given] of [
    ["rcon", rcon],
    ["a2s", a2s]
  ] as const) {
    for (const [key, value] of Object.entries(given)) {
      if (value === undefined || key in values) continue
      values[key] = value
      sources[key] = source
    }
  }
  return { ...values, sources } as RosterEntry
}

const hasPlayers = (value: unknown): boolean =>
  tryCondition(() => {
    const { players } = value as Partial<ServerStatus>
    return (
      Array.isArray(players) &&
      players.every((player: unknown) => isObject(player) && "name" in player && isText(player.name))
    )
  })

/**
 * Returns first the players of the console's list, then the players that only A2S_PLAYER lists. If a name occurs exactly once in each list,
 * the two entries are merged into one player. Entries of A2S_PLAYER without a name are omitted.
 */
export const mergeRoster = (reply: PlayersReply | undefined, status: ServerStatus): ReadonlyArray<RosterEntry> => {
  demand("status", "a status, as readStatus returns it", hasPlayers, status)
  optional("reply", "a reply to A2S_PLAYER", hasPlayers, reply)
  const queried = (reply?.players ?? []).map(({ duration, name, score }) => ({
    name,
    score,
    connectedSeconds: Math.max(0, Math.floor(duration))
  }))
  const countNamed = (list: ReadonlyArray<{ readonly name: string }>, name: string): number =>
    list.filter((one) => one.name === name).length
  const listed = status.players.map(({ connectedSeconds, isBot, loss, name, ping, score, state, steamId, userId }) => {
    const isOne = name !== "" && countNamed(status.players, name) === 1 && countNamed(queried, name) === 1
    const rcon = { name, isBot, userId, steamId, connectedSeconds, ping, loss, score, state }
    return mergeValues(isOne ? queried.find((one) => one.name === name)! : {}, rcon)
  })
  const others = queried.filter(({ name }) => name !== "" && countNamed(status.players, name) === 0)
  return [...listed, ...others.map((one) => mergeValues(one, {}))]
}
