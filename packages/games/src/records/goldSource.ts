/** Games on GoldSource, the engine of Half-Life. App id 70 belongs to Half-Life. Mods without their own app id report 70, too. */
import { buildGames } from "../Game.ts"

const common = { dialect: "goldsource" } as const

export const goldSource = buildGames(common, {
  ahl: { name: "Action Half-Life", appIds: [70], folders: ["action"], from: "steam" },
  basedefense: { name: "Base Defense", aliases: ["bd"], appIds: [632730], folders: ["bdef"], from: "rust-gamedig" },
  brainbread: { name: "BrainBread", appIds: [70], folders: ["brainbread"], from: "steam" },
  counterstrike15: { name: "Counter-Strike 1.5", aliases: ["cs15"] },
  counterstrike16: {
    name: "Counter-Strike 1.6",
    aliases: ["cs16", "cs"],
    appIds: [10],
    folders: ["cstrike"],
    from: { appIds: "a2s" }
  },
  cscz: { name: "Counter-Strike: Condition Zero", aliases: ["czero"], appIds: [80], folders: ["czero"], from: "a2s" },
  deathmatchclassic: { name: "Deathmatch Classic", aliases: ["dmc"], appIds: [40], folders: ["dmc"], from: "a2s" },
  dod: { name: "Day of Defeat", appIds: [30], folders: ["dod"] },
  earthsspecialforces: {
    name: "Earth’s Special Forces",
    aliases: ["esf"],
    appIds: [70],
    folders: ["esf"],
    from: "steam"
  },
  gunmanchronicles: { name: "Gunman Chronicles", folders: ["rewolf"], from: { folders: "valve" } },
  hld: { name: "Half-Life", aliases: ["hldm", "halflife", "hl", "hl1"], appIds: [70], folders: ["valve"], from: "a2s" },
  hlof: {
    name: "Half-Life: Opposing Force",
    aliases: ["hlopfor", "opfor"],
    appIds: [50],
    folders: ["gearbox"],
    from: "a2s"
  },
  kreedzclimbing: { name: "Kreedz Climbing", aliases: ["kzmod"] },
  naturalselection: { name: "Natural Selection", aliases: ["ns"], appIds: [70], folders: ["ns"], from: "steam" },
  ricochet: { name: "Ricochet", appIds: [60], folders: ["ricochet"], from: "a2s" },
  svencoop: { name: "Sven Co-op", aliases: ["sco"], appIds: [225840], folders: ["svencoop"] },
  tfc: { name: "Team Fortress Classic", appIds: [20], folders: ["tfc"], from: "a2s" },
  thespecialists: { name: "The Specialists", appIds: [70], folders: ["ts"], from: "steam" },
  vampireslayer: { name: "Vampire Slayer", aliases: ["vs"], appIds: [70], folders: ["vs"], from: "steam" }
})
