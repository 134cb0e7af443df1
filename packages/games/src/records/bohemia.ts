/** Games of Bohemia Interactive, whose rules are binary. */
import { NEXT_PORT, buildGames } from "../Game.ts"

const common = { port: 2302, ...NEXT_PORT, reader: "arma" } as const

export const bohemia = buildGames(common, {
  arma2: { name: "Arma 2", appIds: [33900], from: "a2s" },
  a2oa: {
    name: "Arma 2: Operation Arrowhead",
    aliases: ["arma2oa", "armedassault2oa"],
    appIds: [33930],
    folders: ["arma2arrowpc"]
  },
  arma3: { name: "Arma 3", appIds: [107410], folders: ["Arma3"] },
  armareforger: {
    name: "Arma Reforger",
    aliases: ["armare", "reforger"],
    appIds: [1874880],
    port: 2001,
    queryPorts: [{ port: 17777 }],
    reader: null,
    note: "A2S must be switched on in the server’s configuration.",
    from: "a2s"
  },
  dayz: {
    name: "DayZ",
    appIds: [221100, 1024020],
    folders: ["dayz"],
    queryPorts: [{ port: 27016 }, { offset: 1 }],
    reader: "dayz"
  },
  dayzmod: { name: "DayZ Mod", appIds: [224580], from: "steam" }
})
