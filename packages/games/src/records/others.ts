/** Racing, driving and other games. */
import { MIXED, NEXT_PORT, buildGames } from "../Game.ts"

export const others = buildGames(MIXED, {
  americantrucksimulator: {
    name: "American Truck Simulator",
    aliases: ["ats"],
    appIds: [270880],
    ...NEXT_PORT,
    from: { appIds: ["amp", "steam"] }
  },
  ets2: { name: "Euro Truck Simulator 2", appIds: [227300], ...NEXT_PORT, from: "a2s" },
  jc3m: {
    name: "Just Cause 3: Multiplayer",
    aliases: ["jc3mp", "justcause3"],
    appIds: [619910],
    folders: ["Just Cause 3 Multiplayer"],
    port: 4200,
    ...NEXT_PORT
  },
  nla: { name: "Nova-Life: Amboise", appIds: [885570], port: null, queryPorts: [{ port: 27015 }], from: "steam" },
  onset: { name: "Onset", appIds: [1105810], port: 7777, queryPorts: [{ offset: -1 }], from: "rust-gamedig" },
  projectcars: { name: "Project CARS", aliases: ["pc"], appIds: [234630], ...NEXT_PORT, from: "a2s" },
  projectcars2: { name: "Project CARS 2", aliases: ["pc2"], appIds: [378860], ...NEXT_PORT, from: "a2s" },
  nebulous: {
    name: "NEBULOUS: Fleet Command",
    appIds: [887570],
    port: 7777,
    queryPorts: [{ port: 27016 }],
    from: { appIds: ["amp", "steam"] }
  },
  rfactor: { name: "rFactor", appIds: [339790], port: null, queryPorts: [], from: "steam" },
  rfactor2: {
    name: "rFactor 2",
    aliases: ["rf2"],
    appIds: [365960],
    folders: ["rFactor 2"],
    port: null,
    queryPorts: [{ port: 64299 }]
  },
  stormworks: {
    name: "Stormworks: Build and Rescue",
    appIds: [573090],
    port: 25564,
    ...NEXT_PORT,
    from: { appIds: ["amp", "steam"] }
  },
  towerunite: {
    name: "Tower Unite",
    appIds: [394690],
    port: 7777,
    queryPorts: [{ port: 27015 }, { port: 27016 }],
    from: "a2s"
  },
  wreckfest: {
    name: "Wreckfest",
    appIds: [228380],
    port: 33540,
    queryPorts: [{ port: 27016 }],
    from: { appIds: ["amp", "steam"] }
  }
})
