/** INFO: challenges, dialects, encodings, fields. */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import type { Profile } from "@sourcewire/server"
import { profiles } from "../profiles/index.ts"
import { type Scenario, expectProfileData } from "./Scenario.ts"

const css = profiles.css()
const cs16 = profiles.cs16()
const xash3d = profiles.xash3d()
const hltv = profiles.hltv()

/** A server from before 2021, which sends INFO without a challenge. */
const unguarded = (info: InfoReply): Profile => ({
  ...css,
  info,
  players: undefined,
  rules: undefined,
  trusts: ["info"]
})
const plainInfo: InfoReply = { ...(xash3d.info as InfoReply), appId: 240, folder: "cstrike", protocol: 17 }

const both = { name: (cs16.info as InfoReply).name, _tag: "InfoReply", protocol: 48, bots: 3 } as const
const withLegacyInfo = (legacyInfo: Partial<GoldSourceInfoReply>): Profile => ({
  ...hltv,
  legacyInfo: { ...(hltv.legacyInfo as GoldSourceInfoReply), ...legacyInfo }
})

const encodedName = (encoding: "windows-1251" | "windows-1252" | "UTF-8", name: string): Scenario => ({
  name: `a name in ${encoding}`,
  profile: { ...unguarded({ ...plainInfo, name }), encoding: encoding === "UTF-8" ? "auto" : encoding },
  expected: { info: { name } }
})

export const infoScenarios: ReadonlyArray<Scenario> = [
  expectProfileData("INFO without a challenge", unguarded(plainInfo), "info"),
  expectProfileData("INFO with a challenge", css, "info"),
  expectProfileData("INFO that ends after the version", xash3d, "info"),
  expectProfileData("a challenge that is 0", profiles.warsow(), "info"),
  { name: "`m` then `I`", profile: cs16, expected: { info: both } },
  { name: "`I` then `m`", profile: cs16, faults: { infoFirst: true }, expected: { info: both } },
  expectProfileData("only `m`", hltv, "legacyInfo"),
  expectProfileData(
    "only `m`, behind a challenge, with the fields of a mod",
    { ...cs16, info: undefined },
    "legacyInfo"
  ),
  {
    name: "an HLTV of 255 slots",
    profile: withLegacyInfo({ hltv: { spectators: 12, slots: 255 } }),
    expected: { info: { maxPlayers: 128, hltv: { spectators: 12, slots: 255 } } }
  },
  encodedName("windows-1252", "Café des Zoë's für Gäste"),
  encodedName("windows-1251", "Русский сервер без правил"),
  encodedName("UTF-8", "★ Zoë 🦊 日本"),
  {
    name: "an app id of more than 16 bits",
    profile: profiles.rust(),
    expected: { info: { appId: 252490, gameId: "252490", keywords: (profiles.rust().info as InfoReply).keywords! } }
  },
  expectProfileData("every extra field, as JSON", css, "info"),
  {
    name: "server type 0",
    profile: unguarded({ ...plainInfo, serverType: 0, protocol: 252, appId: 1002 }),
    expected: { info: { serverType: 0, appId: 1002 } }
  },
  expectProfileData("The Ship", profiles.ship(), "info")
]
