/** PLAYER and RULES: possible entries, wrong counts, and truncated replies. */
import { encodeAs } from "@sourcewire/protocol/wire"
import { RulesReply } from "@sourcewire/protocol"
import type { Player, PlayersReply, Rule } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Profile } from "@sourcewire/server"
import { rulesReply } from "../profiles/cvars.ts"
import { profiles } from "../profiles/index.ts"
import { playersReply } from "../profiles/people.ts"
import { type Scenario, expectProfileData } from "./Scenario.ts"

const css = profiles.css()
const rules = (profile: Profile): RulesReply => profile.rules as RulesReply

/** Ten players. A PLAYER reply with these players has a header of 6 bytes, and 17 bytes for each player. */
const ten = Array.from({ length: 10 }, (_, index): Player => ({
  index,
  name: `Player${index}`,
  score: index,
  duration: 60 * index
}))
const negative = ten.map((player) => ({ ...player, score: -5 - player.score }))
const verbatim: ReadonlyArray<Rule> = [
  { name: "empty", value: "" },
  { name: "zeros", value: "01234" },
  { name: "float", value: "1.0" },
  { name: "hex", value: "0x10" },
  { name: "twice", value: "1" },
  { name: "twice", value: "2" }
]
const crowded = profiles.rust().players as PlayersReply

/**
 * Encodes the RULES reply of a profile, decodes the bytes, and returns the decoded reply. Values that are not text can differ from the
 * values in the profile.
 */
const asDecoded = (profile: Profile): RulesReply =>
  Result.getOrThrow(Result.flatMap(encodeAs(RulesReply, rules(profile)), (bytes) => RulesReply.decode(bytes)))

/** All test cases for PLAYER and RULES, except the cases with split replies. */
export const listScenarios: ReadonlyArray<Scenario> = [
  expectProfileData("PLAYER with a challenge", css, "players"),
  expectProfileData("PLAYER without a challenge", profiles.hltv(), "players"),
  expectProfileData("RULES without a challenge", profiles.hltv(), "rules"),
  expectProfileData("PLAYER behind a challenge that is 0", profiles.warsow(), "players"),
  {
    name: "PLAYER truncated: 10 announced, 4 complete",
    profile: { ...css, players: playersReply(ten) },
    faults: { truncateBytes: 6 + 4 * 17 + 9 },
    expected: { players: { announced: 10, truncated: true, players: ten.slice(0, 4) } }
  },
  {
    name: "RULES truncated after a name",
    profile: { ...css, rules: rulesReply(verbatim) },
    faults: { truncateBytes: 7 + "empty\0\0zeros\0".length + "01234\0float\0".length },
    expected: { rules: { announced: 6, truncated: true, rules: verbatim.slice(0, 2) } }
  },
  {
    name: "RULES truncated at 1260 bytes",
    profile: profiles.tf2(),
    faults: { truncateBytes: 1260 },
    expected: { rules: { announced: rules(profiles.tf2()).announced, truncated: true } }
  },
  expectProfileData(
    "300 players, count byte 255",
    { ...profiles.rust(), players: { ...crowded, announced: 255 } },
    "players"
  ),
  expectProfileData("300 players, count byte 44", profiles.rust(), "players"),
  expectProfileData("negative scores", { ...css, players: playersReply(negative) }, "players"),
  expectProfileData("no players", { ...css, players: playersReply([]) }, "players"),
  expectProfileData("The Ship's deaths and money", profiles.ship(), "players"),
  expectProfileData("rule values verbatim", { ...css, rules: rulesReply(verbatim) }, "rules"),
  { name: "binary rules of Arma 3", profile: profiles.arma3(), expected: { rules: asDecoded(profiles.arma3()) } },
  {
    name: "binary rules of DayZ in one datagram of 2 500 bytes",
    profile: profiles.dayz(),
    expected: { rules: asDecoded(profiles.dayz()) }
  }
]
