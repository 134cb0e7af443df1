/**
 * PLAYER and RULES: what their entries may look like, counts that lie, and replies that were cut off.
 *
 * @module
 */
import { encodeAs } from "@sourcewire/protocol/machines"
import { RulesReply } from "@sourcewire/protocol"
import type { Player, PlayersReply, Rule } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Profile } from "@sourcewire/server"
import { rulesReply } from "../profiles/cvars.ts"
import { profiles } from "../profiles/index.ts"
import { playersReply } from "../profiles/people.ts"
import type { Scenario } from "./Scenario.ts"

const css = profiles.css()
const players = (profile: Profile): PlayersReply => profile.players as PlayersReply
const rules = (profile: Profile): RulesReply => profile.rules as RulesReply

/** Ten players of equal length: 4 + 2 bytes, and 17 for each. */
const ten = Array.from({ length: 10 }, (_, index): Player => ({
  index,
  name: `Player${index}`,
  score: index,
  duration: 60 * index
}))
const verbatim: ReadonlyArray<Rule> = [
  { name: "empty", value: "" },
  { name: "zeros", value: "01234" },
  { name: "float", value: "1.0" },
  { name: "hex", value: "0x10" },
  { name: "twice", value: "1" },
  { name: "twice", value: "2" }
]
const crowded = players(profiles.rust())

/** Rules as a reader shows them: which text stands beside bytes that are none is the reader's choice. */
const asRead = (profile: Profile): RulesReply =>
  Result.getOrThrow(Result.flatMap(encodeAs(RulesReply, rules(profile)), (bytes) => RulesReply.decode(bytes)))

/** Everything that concerns the two lists, beside their fragments. */
export const listScenarios: ReadonlyArray<Scenario> = [
  { name: "PLAYER with a challenge", profile: css, expected: { players: players(css) } },
  { name: "PLAYER without a challenge", profile: profiles.hltv(), expected: { players: players(profiles.hltv()) } },
  { name: "RULES without a challenge", profile: profiles.hltv(), expected: { rules: rules(profiles.hltv()) } },
  {
    name: "PLAYER behind a challenge that is 0",
    profile: profiles.warsow(),
    expected: { players: players(profiles.warsow()) }
  },
  {
    name: "PLAYER cut off: 10 announced, 4 whole",
    profile: { ...css, players: playersReply(ten) },
    faults: { truncateBytes: 6 + 4 * 17 + 9 },
    expected: { players: { announced: 10, truncated: true, players: ten.slice(0, 4) } }
  },
  {
    name: "RULES cut off after a name",
    profile: { ...css, rules: rulesReply(verbatim) },
    faults: { truncateBytes: 7 + "empty\0\0zeros\0".length + "01234\0float\0".length },
    expected: { rules: { announced: 6, truncated: true, rules: verbatim.slice(0, 2) } }
  },
  {
    name: "RULES cut off at 1260 bytes",
    profile: profiles.tf2(),
    faults: { truncateBytes: 1260 },
    expected: { rules: { announced: rules(profiles.tf2()).announced, truncated: true } }
  },
  {
    name: "300 players, count byte 255",
    profile: { ...profiles.rust(), players: { ...crowded, announced: 255 } },
    expected: { players: { announced: 255, truncated: false, players: crowded.players } }
  },
  {
    name: "300 players, count byte 44",
    profile: profiles.rust(),
    expected: { players: { announced: 44, truncated: false, players: crowded.players } }
  },
  {
    name: "negative scores",
    profile: { ...css, players: playersReply(ten.map((player) => ({ ...player, score: -5 - player.score }))) },
    expected: { players: { players: ten.map((player) => ({ ...player, score: -5 - player.score })) } }
  },
  {
    name: "nobody",
    profile: { ...css, players: playersReply([]) },
    expected: { players: { announced: 0, players: [] } }
  },
  { name: "The Ship's deaths and money", profile: profiles.ship(), expected: { players: players(profiles.ship()) } },
  {
    name: "rule values verbatim",
    profile: { ...css, rules: rulesReply(verbatim) },
    expected: { rules: { rules: verbatim } }
  },
  { name: "binary rules of Arma 3", profile: profiles.arma3(), expected: { rules: asRead(profiles.arma3()) } },
  {
    name: "binary rules of DayZ in one datagram of 2 500 bytes",
    profile: profiles.dayz(),
    expected: { rules: asRead(profiles.dayz()) }
  }
]
