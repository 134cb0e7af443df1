/**
 * Compares a decoded message with the values in the file of a capture. Some values have one name in the message and another name in the
 * file.
 */
import { expect } from "vitest"
import type { GoldSourceInfoReply, InfoReply, Message, PlayersReply, RulesReply } from "../src/index.ts"
import type { Capture } from "./captures.ts"

type Values = Record<string, unknown>

const SHIP_MODES = ["hunt", "elimination", "duel", "deathmatch", "vipTeam", "teamElimination"]

const INFO_NAMES: Readonly<Record<string, (info: InfoReply) => unknown>> = {
  kind: (info) => (info._tag === "InfoReply" ? "source" : "goldsource"),
  password: (info) => info.passwordProtected,
  gamePort: (info) => info.port,
  steamId: (info) => info.steamId?.toString(),
  gameId: (info) => info.gameId?.toString(),
  sourceTvPort: (info) => info.sourceTv?.port,
  sourceTvName: (info) => info.sourceTv?.name,
  theShip: ({ theShip }) => theShip && { ...theShip, mode: SHIP_MODES.indexOf(theShip.mode as string) },
  // The file contains the 16-bit app id of the reply, but `appId` of the message can have 24 bits.
  appId: (info) => info.appId16 ?? info.appId & 0xffff
}

export const expectCapture = (message: Message, capture: Capture): void => {
  const { expected } = capture
  if (expected === null) return
  switch (capture.query) {
    case "info":
      return expectInfo(message as InfoReply | GoldSourceInfoReply, expected)
    case "players":
      return expectPlayers(message as PlayersReply, expected)
    case "rules":
      return expectRules(message as RulesReply, expected)
    case "challenge":
      return expect(message).toEqual({
        _tag: "ChallengeReply",
        challenge: Buffer.from(expected["challenge"] as string, "hex").readInt32LE()
      })
    default:
  }
}

const expectInfo = (info: InfoReply | GoldSourceInfoReply, expected: Values): void => {
  for (const [name, value] of Object.entries(expected)) {
    const ours = name in INFO_NAMES ? INFO_NAMES[name]!(info as InfoReply) : (info as unknown as Values)[name]
    expect({ [name]: ours }).toEqual({ [name]: value })
  }
}

const expectPlayers = ({ announced, players }: PlayersReply, expected: Values): void => {
  if (expected["count"] !== undefined) expect(announced).toBe(expected["count"])
  const theirs = expected["players"] as ReadonlyArray<Values> | undefined
  if (theirs === undefined) return
  expect(players.length).toBe(theirs.length)
  theirs.forEach((player, i) => {
    const ours = players[i]! as unknown as Values
    for (const [name, value] of Object.entries(player)) {
      if (name === "duration") expect(ours["duration"]).toBeCloseTo(value as number, 2)
      else if (name === "durationInt")
        expect(Math.abs((ours["duration"] as number) - (value as number))).toBeLessThanOrEqual(1)
      else expect({ [name]: ours[name] }).toEqual({ [name]: value })
    }
  })
}

const expectRules = ({ announced, rules }: RulesReply, expected: Values): void => {
  if (expected["count"] !== undefined) expect(announced).toBe(expected["count"])
  const theirs = expected["rules"] as Readonly<Record<string, string>> | undefined
  if (theirs === undefined) return
  // In the file, the rules of a reply are a map. If the server sent a rule several times, the map contains
  // only the last value of this rule.
  const ours = new Map(rules.map(({ name, value }) => [name, value]))
  for (const [name, value] of Object.entries(theirs)) expect({ [name]: ours.get(name) }).toEqual({ [name]: value })
  if (expected["rulesComplete"] === true) expect(ours.size).toBe(Object.keys(theirs).length)
}
