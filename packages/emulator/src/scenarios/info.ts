/**
 * INFO: challenges, dialects, encodings, fields.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import type { Profile } from "@sourcewire/server"
import { profiles } from "../profiles/index.ts"
import type { Scenario } from "./Scenario.ts"

const css = profiles.css()
const cs16 = profiles.cs16()
const xash3d = profiles.xash3d()
const hltv = profiles.hltv()

/** A server of before December 2020: INFO to anyone. */
const unguarded = (info: InfoReply): Profile => ({
  ...css,
  info,
  players: undefined,
  rules: undefined,
  trusts: ["info"]
})
const plainInfo: InfoReply = { ...(xash3d.info as InfoReply), appId: 240, folder: "cstrike", protocol: 17 }

const both = { name: (cs16.info as InfoReply).name, _tag: "InfoReply", protocol: 48, bots: 3 } as const
const legacyWith = (legacyInfo: Partial<GoldSourceInfoReply>): Profile => ({
  ...hltv,
  legacyInfo: { ...(hltv.legacyInfo as GoldSourceInfoReply), ...legacyInfo }
})

/** Everything that concerns INFO alone. */
export const infoScenarios: ReadonlyArray<Scenario> = [
  { name: "INFO without a challenge", profile: unguarded(plainInfo), expected: { info: plainInfo } },
  { name: "INFO with a challenge", profile: css, expected: { info: css.info as InfoReply } },
  { name: "INFO that ends after the version", profile: xash3d, expected: { info: xash3d.info as InfoReply } },
  {
    name: "a challenge that is 0",
    profile: profiles.warsow(),
    expected: { info: profiles.warsow().info as InfoReply }
  },
  { name: "`m` then `I`", profile: cs16, expected: { info: both } },
  { name: "`I` then `m`", profile: cs16, faults: { infoFirst: true }, expected: { info: both } },
  { name: "only `m`", profile: hltv, expected: { info: hltv.legacyInfo as GoldSourceInfoReply } },
  {
    name: "only `m`, behind a challenge, with the fields of a mod",
    profile: { ...cs16, info: undefined },
    expected: { info: cs16.legacyInfo as GoldSourceInfoReply }
  },
  {
    name: "an HLTV of 255 slots",
    profile: legacyWith({ hltv: { spectators: 12, slots: 255 } }),
    expected: { info: { maxPlayers: 128, hltv: { spectators: 12, slots: 255 } } }
  },
  {
    name: "a name in windows-1252",
    profile: { ...unguarded({ ...plainInfo, name: "Café des Zoë's für Gäste" }), encoding: "windows-1252" },
    expected: { info: { name: "Café des Zoë's für Gäste" } }
  },
  {
    name: "a name in windows-1251",
    profile: { ...unguarded({ ...plainInfo, name: "Русский сервер без правил" }), encoding: "windows-1251" },
    expected: { info: { name: "Русский сервер без правил" } }
  },
  {
    name: "a name in UTF-8",
    profile: unguarded({ ...plainInfo, name: "★ Zoë 🦊 日本" }),
    expected: { info: { name: "★ Zoë 🦊 日本" } }
  },
  {
    name: "an app id of more than 16 bits",
    profile: profiles.rust(),
    expected: { info: { appId: 252490, gameId: "252490", keywords: (profiles.rust().info as InfoReply).keywords! } }
  },
  { name: "every extra field, as JSON", profile: css, expected: { info: css.info as InfoReply } },
  {
    name: "server type 0",
    profile: unguarded({ ...plainInfo, serverType: 0, protocol: 252, appId: 1002 }),
    expected: { info: { serverType: 0, appId: 1002 } }
  },
  { name: "The Ship", profile: profiles.ship(), expected: { info: profiles.ship().info as InfoReply } }
]
