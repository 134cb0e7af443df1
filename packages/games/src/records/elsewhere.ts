/** Games that do not support A2S, with the protocol that they use instead. The ids of these games are the ids that gamedig uses. */
import { MIXED, buildGames } from "../Game.ts"

const epic = "Epic Online Services"

export const elsewhere = buildGames(MIXED, {
  squad: {
    name: "Squad",
    appIds: [393380],
    folders: ["squad"],
    port: 7787,
    queryPorts: [{ port: 27165 }],
    counts: "rules",
    reader: "squad",
    note: "Servers before version 7 support A2S and have the player count in the rules.",
    instead: { protocol: epic, since: "version 7 (December 2023)" }
  },
  asa: { name: "ARK: Survival Ascended", appIds: [2399830], port: 7777, instead: { protocol: epic }, from: "steam" },
  tie: { name: "The Isle: Evrima", port: 7777, instead: { protocol: epic, since: "the Evrima branch" } },
  palworld: {
    name: "Palworld",
    appIds: [1623730],
    port: 8211,
    instead: { protocol: "an HTTP API that asks for the administrator's password" },
    from: "steam"
  },
  satisfactory: {
    name: "Satisfactory",
    appIds: [526870],
    port: 7777,
    instead: { protocol: "a query of its own over UDP and an HTTPS API" },
    from: "steam"
  },
  eco: { name: "Eco", appIds: [382310], port: 3000, instead: { protocol: "an HTTP API" }, from: "steam" },
  ffow: {
    name: "Frontlines: Fuel of War",
    appIds: [9460],
    port: 5476,
    queryPorts: [{ offset: 2 }],
    instead: { protocol: "a query like A2S, but with different requests and the reverse byte order" },
    from: "steam"
  },
  factorio: {
    name: "Factorio",
    appIds: [427520],
    port: 34197,
    instead: { protocol: "the server list of factorio.com" },
    from: "steam"
  },
  minecraft: { name: "Minecraft", port: 25565, instead: { protocol: "a status query of its own" } },
  terraria: {
    name: "Terraria",
    appIds: [105600],
    port: 7777,
    instead: { protocol: "the HTTP API of the TShock mod" },
    from: "steam"
  },
  gta5f: { name: "FiveM", aliases: ["fivem"], port: 30120, instead: { protocol: "an HTTP API" } }
})
