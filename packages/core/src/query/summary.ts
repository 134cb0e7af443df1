/**
 * What a status page shows of a server, from its answers in either dialect: an object of JSON's types, no field of which is missing.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import { demand, isObject, partsOf } from "../edge.ts"

/** A server at a glance. */
export interface Summary {
  readonly name: string
  readonly map: string
  /** Everybody on the server: the longer of INFO's count and PLAYER's list, since the count is a byte. */
  readonly players: number
  readonly bots: number
  /** Players that are no bots. */
  readonly humans: number
  readonly maxPlayers: number
  /** Whether joining takes a password. */
  readonly password: boolean
  /** Whether Valve Anti-Cheat is on. */
  readonly secure: boolean
  /** Joins the game, as in `steam://connect/192.0.2.7:27015`: the port is the one that INFO names, else the one that was asked. */
  readonly connect: string
}

/** Sums up what a client's `query`, or a scan, gave of the server at this address. Throws `InvalidOption` for what is no answer. */
export const summary = (
  address: string | Address.Address,
  answer: { readonly info: InfoReply | GoldSourceInfoReply; readonly players?: PlayersReply | undefined }
): Summary => {
  const asked = Address.from(address)
  demand("address", "an address", () => Result.isSuccess(asked), address)
  const { info, players: list } = partsOf("answer", answer)
  demand("answer", "an answer with info", isObject, info)
  const {
    bots: announcedBots = 0,
    map,
    maxPlayers,
    name,
    passwordProtected,
    players: count,
    vac
  } = partsOf("info", info)
  const listed: unknown = list === undefined ? [] : partsOf("players", list).players
  demand("answer", "an answer with a list of players, if any", Array.isArray, listed)
  const players = Math.max(count, (listed as ReadonlyArray<unknown>).length)
  const bots = Math.min(announcedBots, players)
  const { host, port } = Result.getOrThrow(asked)
  const gamePort = info._tag === "InfoReply" && info.port !== undefined && info.port > 0 ? info.port : port
  return {
    name,
    map,
    players,
    bots,
    humans: players - bots,
    maxPlayers,
    password: passwordProtected,
    secure: vac,
    connect: `steam://connect/${Address.format({ host, port: gamePort })}`
  }
}

/** A server's rules by name; of two rules with one name the last counts. Names are the server's choice, so there is no prototype. */
export const rulesRecord = (reply: RulesReply): Readonly<Record<string, string>> => {
  const { rules } = partsOf("reply", reply)
  demand("reply", "a reply with rules", Array.isArray, rules)
  const record: Record<string, string> = Object.create(null)
  for (const rule of rules) {
    const { name, value } = partsOf("rule", rule)
    record[name] = value
  }
  return record
}
