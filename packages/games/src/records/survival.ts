/** Survival and building games. */
import { MIXED, NEXT_PORT, UNREAL_PORTS, buildGames } from "../Game.ts"

export const survival = buildGames(MIXED, {
  abioticfactor: { name: "Abiotic Factor", appIds: [427410], ...UNREAL_PORTS, from: "a2s" },
  aneurismiv: {
    name: "ANEURISM IV",
    aliases: ["aneurism4"],
    appIds: [2773280],
    port: 7777,
    queryPorts: [{ offset: 2 }],
    from: { appIds: ["amp", "steam"] }
  },
  aska: { name: "ASKA", appIds: [1898300], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  astrocolony: {
    name: "Astro Colony",
    appIds: [1614550],
    port: null,
    queryPorts: [{ port: 27015 }],
    from: { appIds: ["amp", "steam"] }
  },
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
  beastsofbermuda: { name: "Beasts of Bermuda", appIds: [719890], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  citadel: {
    name: "Citadel: Forged with Fire",
    appIds: [487120],
    ...UNREAL_PORTS,
    from: "steam"
  },
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
  dayofdragons: {
    name: "Day of Dragons",
    appIds: [1088090],
    port: 7777,
    queryPorts: [{ port: 27015 }, { port: 27016 }],
    from: "a2s"
  },
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
  foundry: { name: "FOUNDRY", appIds: [983870], port: 3724, queryPorts: [{ port: 27015 }], from: "a2s" },
  humanitz: { name: "HumanitZ", appIds: [1766060], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  hurtworld: { name: "Hurtworld", appIds: [393420], port: 12871, queryPorts: [{ port: 12881 }], from: "a2s" },
  icarus: { name: "Icarus", appIds: [1149460], port: 17777, queryPorts: [{ port: 27015 }], from: "a2s" },
  lastoasis: {
    name: "Last Oasis",
    appIds: [903950],
    port: 5555,
    queryPorts: [{ port: 27015 }],
    from: { appIds: ["amp", "steam"] }
  },
  lifeisfeudal: {
    name: "Life is Feudal: Your Own",
    aliases: ["lifyo", "lif"],
    appIds: [290080],
    port: 28000,
    ...NEXT_PORT,
    from: "steam"
  },
  medievalengineers: { name: "Medieval Engineers", appIds: [333950], from: "a2s" },
  miscreated: {
    name: "Miscreated",
    appIds: [299740],
    port: 64090,
    queryPorts: [{ offset: 2 }],
    from: { appIds: ["amp", "steam"] }
  },
  moe: { name: "Myth of Empires", appIds: [1371580], port: null, queryPorts: [{ port: 12888 }], from: "a2s" },
  nightofthedead: {
    name: "Night of the Dead",
    aliases: ["notd"],
    appIds: [1377380],
    ...UNREAL_PORTS,
    from: { appIds: ["amp", "steam"] }
  },
  noonesurvived: {
    name: "No One Survived",
    appIds: [1963370],
    port: 5761,
    queryPorts: [{ port: 27015 }],
    from: { appIds: ["amp", "steam"] }
  },
  pixark: { name: "PixARK", appIds: [593600], ...UNREAL_PORTS, reader: "ark", from: "a2s" },
  plainsofpain: {
    name: "Plains of Pain",
    appIds: [2218970],
    port: 7777,
    queryPorts: [{ port: 27016 }],
    from: { appIds: ["amp", "steam"] }
  },
  projectzomboid: {
    name: "Project Zomboid",
    aliases: ["przomboid", "zomboid", "pz"],
    appIds: [108600],
    folders: ["zomboid"],
    port: 16261,
    reader: "projectzomboid"
  },
  renown: { name: "Renown", appIds: [1488310], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  risingworld: {
    name: "Rising World",
    appIds: [324080],
    port: 4255,
    from: "rust-gamedig"
  },
  ror2: { name: "Risk of Rain 2", appIds: [632360], ...NEXT_PORT, from: "rust-gamedig" },
  rust: {
    name: "Rust",
    appIds: [252490],
    folders: ["rust"],
    port: 28015,
    queryPorts: [{ offset: 2 }, { offset: 1 }, { offset: 0 }],
    counts: "keywords",
    reader: "rust",
    note: "Since February 2023 the query port is the larger of game port + 1 and RCON port + 1, unless server.queryport is set. With the default ports, the query port is 28017."
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
    port: 27016,
    reader: "spaceengineers"
  },
  stationeers: {
    name: "Stationeers",
    appIds: [544550],
    port: 27016,
    queryPorts: [{ port: 27015 }],
    from: { appIds: ["amp", "steam"] }
  },
  starbound: { name: "Starbound", appIds: [211820], port: 21025, from: "a2s" },
  stn: { name: "Survive the Nights", appIds: [541300], port: 7950, ...NEXT_PORT, from: "a2s" },
  subsistence: { name: "Subsistence", appIds: [418030], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  theforest: { name: "The Forest", aliases: ["forrest"], appIds: [242760, 556450], ...NEXT_PORT, from: "rust-gamedig" },
  thefront: {
    name: "The Front",
    appIds: [2285150],
    port: 5001,
    queryPorts: [{ port: 27015 }],
    note: "In INFO, the server’s name is a SteamID, and the player limit is always 200.",
    from: "rust-gamedig"
  },
  theisle: {
    name: "The Isle (Legacy)",
    aliases: ["isle"],
    appIds: [376210],
    port: 7777,
    ...NEXT_PORT,
    note: "The Evrima branch uses Epic’s services; see the separate entry “tie”.",
    from: "a2s"
  },
  unturned: {
    name: "Unturned",
    appIds: [304930],
    folders: ["Unturned"],
    queryPorts: [{ offset: 0 }, { offset: 1 }],
    reader: "unturned",
    note: "The port in the configuration is the query port. The game port is the query port plus 1."
  },
  valheim: {
    name: "Valheim",
    appIds: [892970],
    folders: ["valheim"],
    port: 2456,
    ...NEXT_PORT,
    reader: "valheim",
    note: "A server with crossplay reports 0 players."
  },
  vein: { name: "VEIN", appIds: [1857950], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  vrising: {
    name: "V Rising",
    appIds: [1604030],
    port: 9876,
    queryPorts: [{ offset: 1 }, { port: 27016 }, { offset: 15 }],
    from: "rust-gamedig"
  },
  wurmunlimited: {
    name: "Wurm Unlimited",
    aliases: ["wurm"],
    appIds: [366220],
    folders: ["wurmunlimitedserver"],
    port: 3724,
    queryPorts: [{ port: 27016 }]
  }
})
