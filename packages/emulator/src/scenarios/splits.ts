/** Split replies: every layout, plain and compressed, with fragments in several orders; ids with special bits. */
import type { InfoReply } from "@sourcewire/protocol"
import type { SplitLayout } from "@sourcewire/protocol/wire"
import type { Faults } from "../Faults.ts"
import type { Profile } from "@sourcewire/server"
import { profiles } from "../profiles/index.ts"
import { type Scenario, expectProfileData } from "./Scenario.ts"

const cs16 = profiles.cs16()
const tf2 = profiles.tf2()

/** A server whose rules need at least five fragments in this layout. */
const splitting = (layout: SplitLayout, bzip2: boolean): Profile => ({
  ...tf2,
  oversize: { how: "split", layout, bzip2, maxBytes: layout === "goldsource" ? 1400 : 1260 }
})

const forms: ReadonlyArray<readonly [name: string, layout: SplitLayout, bzip2: boolean]> = [
  ["header of 12 bytes", "source", false],
  ["header of 12 bytes, bzip2", "source", true],
  ["header of 10 bytes", "source-no-size", false],
  ["header of 10 bytes, bzip2", "source-no-size", true],
  ["header of 9 bytes", "goldsource", false]
]

const orders: ReadonlyArray<readonly [name: string, faults: Faults | undefined]> = [
  ["in order", undefined],
  ["reversed", { reorder: 1 }],
  ["duplicated", { duplicate: 1 }],
  ["reversed and duplicated", { reorder: 1, duplicate: 1 }],
  ["with a fragment of another reply", { foreignFragment: true }]
]

const table = forms.flatMap(([form, layout, bzip2]) =>
  orders.map(([order, faults]): Scenario => ({
    ...expectProfileData(`RULES split, ${form}, ${order}`, splitting(layout, bzip2), "rules"),
    ...(faults === undefined ? {} : { faults })
  }))
)

const withId = (name: string, firstSplitId: number, bzip2: boolean): Scenario => ({
  ...expectProfileData(`RULES split, ${name}${bzip2 ? ", bzip2" : ""}`, splitting("source", bzip2), "rules"),
  responder: { firstSplitId }
})

const oldEngine = (name: string, info: Partial<InfoReply>, asked: "players" | "rules"): Scenario => {
  const profile: Profile = {
    ...splitting("source-no-size", false),
    info: { ...(profiles.xash3d().info as InfoReply), ...info },
    players: profiles.rust().players!
  }
  return expectProfileData(`${asked === "rules" ? "RULES" : "PLAYER"} split as by ${name}`, profile, asked)
}

export const splitScenarios: ReadonlyArray<Scenario> = [
  ...table,
  withId("id with bit 15", 0x0001_8000, false),
  withId("id with bit 15", 0x0001_8000, true),
  withId("id with bit 30", 0x4000_0000, false),
  withId("id 0", -1, false),
  oldEngine("app id 240 with protocol 7", { appId: 240, protocol: 7 }, "rules"),
  oldEngine("app id 17700", { appId: 17700 }, "players"),
  expectProfileData(
    "PLAYER split, compressed",
    { ...splitting("source", true), players: profiles.rust().players! },
    "players"
  ),
  expectProfileData("RULES split by GoldSource, protocol 48", cs16, "rules"),
  expectProfileData(
    "RULES split by GoldSource, protocol 47, one dialect",
    { ...cs16, info: { ...(cs16.info as InfoReply), protocol: 47 }, legacyInfo: undefined },
    "rules"
  )
]
