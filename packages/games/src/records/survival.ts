/** Games of survival and building. */
import { MIXED, NEXT_PORT, UNREAL_PORTS, gamesOf } from "../Game.ts"

export const survival = gamesOf(MIXED, {
  abioticfactor: { name: "Abiotic Factor", appIds: [427410], from: "a2s" },
  ase: {
    name: "ARK: Survival Evolved",
    aliases: ["arkse", "ark"],
    appIds: [346110],
    folders: ["ark_survival_evolved"],
    ...UNREAL_PORTS,
    reader: "ark"
  },
  atlas: {
    name: "ATLAS",
    appIds: [834910],
    folders: ["atlas"],
    port: 5761,
    queryPorts: [{ offset: 51800 }],
    reader: "ark"
  },
  avorion: {
    name: "Avorion",
    appIds: [445220],
    folders: ["avorion"],
    port: 27000,
    queryPorts: [{ offset: 20 }],
    reader: "avorion"
  },
  barotrauma: { name: "Barotrauma", appIds: [602960], ...NEXT_PORT, from: "rust-gamedig" },
  colonysurvival: { name: "Colony Survival", appIds: [366090], port: 27004, from: "rust-gamedig" },
  conanexiles: {
    name: "Conan Exiles",
    aliases: ["conan"],
    appIds: [440900],
    folders: ["conanexiles"],
    ...UNREAL_PORTS,
    reader: "conanexiles"
  },
  corekeeper: { name: "Core Keeper", appIds: [1621690], port: 1234, ...NEXT_PORT, from: "a2s" },
  creativerse: { name: "Creativerse", appIds: [280790], port: 26900, ...NEXT_PORT, from: "rust-gamedig" },
  dayofdragons: { name: "Day of Dragons", appIds: [1088090], ...UNREAL_PORTS, from: "a2s" },
  dal: { name: "Dark and Light", aliases: ["dnl"], appIds: [529180], ...UNREAL_PORTS, reader: "ark", from: "a2s" },
  dst: { name: "Don't Starve Together", appIds: [322330], port: 10999, queryPorts: [{ port: 27016 }], from: "a2s" },
  egs: {
    name: "Empyrion – Galactic Survival",
    aliases: ["empyrion"],
    appIds: [383120],
    port: 30000,
    ...NEXT_PORT,
    from: "a2s"
  },
  enshrouded: { name: "Enshrouded", appIds: [1203620], port: 15636, queryPorts: [{ port: 15637 }], from: "a2s" },
  foundry: { name: "FOUNDRY", appIds: [983870], from: "a2s" },
  hurtworld: { name: "Hurtworld", appIds: [393420], port: 12871, queryPorts: [{ port: 12881 }], from: "a2s" },
  icarus: { name: "Icarus", appIds: [1149460], from: "a2s" },
  medievalengineers: { name: "Medieval Engineers", appIds: [333950], from: "a2s" },
  moe: { name: "Myth of Empires", appIds: [1371580], port: null, queryPorts: [{ port: 12888 }], from: "a2s" },
  pixark: { name: "PixARK", appIds: [593600], ...UNREAL_PORTS, reader: "ark", from: "a2s" },
  projectzomboid: {
    name: "Project Zomboid",
    aliases: ["przomboid", "zomboid", "pz"],
    appIds: [108600],
    folders: ["zomboid"],
    port: 16261,
    reader: "projectzomboid"
  },
  risingworld: {
    name: "Rising World",
    appIds: [324080],
    port: 4255,
    queryPorts: [{ offset: -1 }],
    from: "rust-gamedig"
  },
  ror2: { name: "Risk of Rain 2", appIds: [632360], ...NEXT_PORT, from: "rust-gamedig" },
  rust: {
    name: "Rust",
    appIds: [252490],
    folders: ["rust"],
    port: 28015,
    queryPorts: [{ offset: 0 }, { offset: 1 }, { offset: 2 }],
    counts: "keywords",
    reader: "rust",
    note: "The query port is the game’s, unless server.queryport says otherwise."
  },
  sdtd: {
    name: "7 Days to Die",
    aliases: ["7d2d", "7dtd"],
    appIds: [251570],
    folders: ["7DTD"],
    port: 26900,
    queryPorts: [{ offset: 1 }, { offset: 0 }],
    reader: "sdtd"
  },
  sotf: {
    name: "Sons Of The Forest",
    aliases: ["sonsoftheforest"],
    appIds: [1326470],
    port: 8766,
    queryPorts: [{ port: 27016 }],
    from: "a2s"
  },
  soulmask: {
    name: "Soulmask",
    appIds: [2646460],
    port: 8777,
    queryPorts: [{ port: 27015 }],
    reader: "soulmask",
    from: "a2s"
  },
  spaceengineers: {
    name: "Space Engineers",
    aliases: ["se"],
    appIds: [244850],
    folders: ["Space Engineers"],
    reader: "spaceengineers"
  },
  starbound: { name: "Starbound", appIds: [211820], port: 21025, from: "a2s" },
  stn: { name: "Survive the Nights", appIds: [541300], port: 7950, ...NEXT_PORT, from: "a2s" },
  theforest: { name: "The Forest", aliases: ["forrest"], appIds: [242760, 556450], ...NEXT_PORT, from: "rust-gamedig" },
  thefront: {
    name: "The Front",
    appIds: [2285150],
    port: null,
    queryPorts: [{ port: 27015 }],
    note: "INFO’s name is a Steam id, and its maximum is 200 whatever was set.",
    from: "rust-gamedig"
  },
  theisle: {
    name: "The Isle (Legacy)",
    aliases: ["isle"],
    appIds: [376210],
    port: 7707,
    ...NEXT_PORT,
    note: "The Evrima branch is on Epic’s services and has an entry of its own: tie.",
    from: "a2s"
  },
  unturned: { name: "Unturned", appIds: [304930], folders: ["Unturned"], ...NEXT_PORT, reader: "unturned" },
  valheim: {
    name: "Valheim",
    appIds: [892970],
    folders: ["valheim"],
    port: 2456,
    ...NEXT_PORT,
    reader: "valheim",
    note: "A server with crossplay says 0 players."
  },
  vrising: { name: "V Rising", appIds: [1604030], queryPorts: [{ offset: 1 }, { offset: 15 }], from: "rust-gamedig" },
  wurmunlimited: {
    name: "Wurm Unlimited",
    aliases: ["wurm"],
    appIds: [366220],
    folders: ["wurmunlimitedserver"],
    port: 3724,
    queryPorts: [{ port: 27016 }]
  }
})
