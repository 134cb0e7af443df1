/** Games on the engines Source and Source 2. */
import { buildGames } from "../Game.ts"

const common = { reader: "source" } as const

export const source = buildGames(common, {
  actionsource: { name: "Action: Source", aliases: ["as"] },
  alienswarm: { name: "Alien Swarm", appIds: [630], folders: ["swarm"], from: "a2s" },
  aoc: {
    name: "Age of Chivalry",
    aliases: ["ageofchivalry"],
    appIds: [17510],
    folders: ["ageofchivalry"],
    from: "rust-gamedig"
  },
  asrd: {
    name: "Alien Swarm: Reactive Drop",
    appIds: [563560],
    folders: ["reactivedrop"],
    from: "rust-gamedig"
  },
  blackmesa: { name: "Black Mesa", aliases: ["bms"], appIds: [362890], folders: ["bms"] },
  bladesymphony: { name: "Blade Symphony", aliases: ["bs"], appIds: [225600], folders: ["berimbau"], from: "steam" },
  brainbread2: {
    name: "BrainBread 2",
    aliases: ["bb2"],
    appIds: [346330],
    folders: ["brainbread2"],
    from: "rust-gamedig"
  },
  codenamecure: { name: "Codename CURE", aliases: ["cure"], appIds: [355180], folders: ["cure"], from: "rust-gamedig" },
  contagion: { name: "Contagion", appIds: [238430], folders: ["contagion"], from: "a2s" },
  counterstrike2: {
    name: "Counter-Strike 2",
    aliases: ["cs2"],
    appIds: [730],
    folders: ["csgo"],
    versionFrom: "1.39",
    reader: "counterstrike2",
    note: "By default, servers hide the names of players in PLAYER. Keywords are truncated after 63 bytes.",
    from: "a2s"
  },
  csgo: { name: "Counter-Strike: Global Offensive", appIds: [730, 4465480], folders: ["csgo"] },
  css: { name: "Counter-Strike: Source", appIds: [240], folders: ["cstrike"] },
  dab: { name: "Double Action: Boogaloo", appIds: [317360], folders: ["dab"], from: "rust-gamedig" },
  ddd: { name: "Dino D-Day", aliases: ["dinodday"], appIds: [70000], folders: ["dinodday"], from: "a2s" },
  dmomam: { name: "Dark Messiah of Might and Magic", appIds: [2130], folders: ["mm"], from: "steam" },
  dods: { name: "Day of Defeat: Source", appIds: [300], folders: ["dod"], from: "a2s" },
  doi: { name: "Day of Infamy", appIds: [447820], folders: ["doi"], reader: "insurgency", from: "rust-gamedig" },
  dota2: { name: "Dota 2", appIds: [570], folders: ["dota"], from: "a2s" },
  dystopia: { name: "Dystopia", aliases: ["dys"], appIds: [17580], folders: ["dystopia"], from: "a2s" },
  empiresmod: { name: "Empires", aliases: ["em"], appIds: [17740], folders: ["empires"], from: "steam" },
  eye: { name: "E.Y.E: Divine Cybermancy", appIds: [91700], from: "steam" },
  fof: { name: "Fistful of Frags", appIds: [265630], folders: ["fof"] },
  fortressforever: { name: "Fortress Forever", aliases: ["ffe"], appIds: [253530], folders: ["FortressForever"] },
  garrysmod: { name: "Garry's Mod", aliases: ["gmod"], appIds: [4000], folders: ["garrysmod"], reader: "garrysmod" },
  goldeneyesource: { name: "GoldenEye: Source", aliases: ["ges"], appIds: [218], folders: ["gesource"], from: "steam" },
  hl2d: { name: "Half-Life 2: Deathmatch", aliases: ["hl2dm"], appIds: [320], folders: ["hl2mp"] },
  hlds: { name: "Half-Life Deathmatch: Source", aliases: ["hldms"], appIds: [360], folders: ["hl1mp"], from: "a2s" },
  imic: {
    name: "Insurgency: Modern Infantry Combat",
    aliases: ["insurgencymic"],
    appIds: [17700],
    folders: ["insurgency"],
    from: "rust-gamedig"
  },
  insurgency: { name: "Insurgency", aliases: ["ins"], appIds: [222880], folders: ["insurgency"], reader: "insurgency" },
  l4d: { name: "Left 4 Dead", aliases: ["left4dead"], appIds: [500], folders: ["left4dead"] },
  l4d2: { name: "Left 4 Dead 2", aliases: ["left4dead2"], appIds: [550], folders: ["left4dead2"], from: "a2s" },
  neotokyo: {
    name: "NEOTOKYO",
    aliases: ["nt"],
    appIds: [244630],
    folders: ["neotokyosource"],
    from: "gjq"
  },
  nmrih: { reader: "nmrih", name: "No More Room in Hell", appIds: [224260], folders: ["nmrih"] },
  nucleardawn: { name: "Nuclear Dawn", appIds: [17710], folders: ["nucleardawn"], from: "a2s" },
  pvak2: {
    name: "Pirates, Vikings, and Knights II",
    aliases: ["pvkii"],
    appIds: [17570],
    folders: ["pvkii"],
    from: "a2s"
  },
  rdkf: { reader: null, name: "Rag Doll Kung Fu", aliases: ["ragdollkungfu"], appIds: [1002], folders: ["RDKFSoccer"] },
  sinepisodes: { name: "SiN Episodes", aliases: ["sinep"], appIds: [1300], folders: ["SE1"], from: "steam" },
  suicidesurvival: { name: "Suicide Survival" },
  synergy: { name: "Synergy", appIds: [17520], folders: ["synergy"], from: "a2s" },
  sin1: {
    reader: null,
    name: "SiN 1 Multiplayer",
    aliases: ["sin"],
    appIds: [1309],
    folders: ["SiN 1"],
    port: null,
    queryPorts: [],
    from: { appIds: "document", folders: "document" }
  },
  sbox: { reader: null, name: "s&box", appIds: [590830], from: { appIds: ["amp", "steam"] } },
  teamfortress2: { reader: "teamfortress2", name: "Team Fortress 2", aliases: ["tf2"], appIds: [440], folders: ["tf"] },
  tf2classified: {
    name: "Team Fortress 2 Classified",
    appIds: [3545060],
    folders: ["tf2classified"],
    from: { appIds: ["windowsgsm", "steam"], folders: "windowsgsm" }
  },
  thehidden: { name: "The Hidden: Source", aliases: ["hidden"], appIds: [215], folders: ["hidden"], from: "steam" },
  theship: { name: "The Ship", aliases: ["ship"], appIds: [2400], folders: ["ship"] },
  zombiemaster: { name: "Zombie Master", folders: ["zombie_master"], from: { folders: "valve" } },
  zps: { name: "Zombie Panic! Source", appIds: [17500], folders: ["zps"], from: "rust-gamedig" }
})
