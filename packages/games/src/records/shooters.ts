/** Shooters on other engines. */
import { MIXED, NEXT_PORT, UNREAL_PORTS, buildGames } from "../Game.ts"

export const shooters = buildGames(MIXED, {
  americasarmy3: {
    name: "America's Army 3",
    appIds: [13140],
    port: 8777,
    queryPorts: [{ port: 27020 }],
    from: "steam"
  },
  aapg: {
    name: "America's Army: Proving Grounds",
    aliases: ["americasarmypg"],
    appIds: [203290],
    port: 8777,
    queryPorts: [{ port: 27020 }],
    from: "rust-gamedig"
  },
  avp2010: { name: "Aliens vs. Predator", appIds: [10680], from: "a2s" },
  ballisticoverkill: { name: "Ballistic Overkill", appIds: [296300], ...NEXT_PORT, from: "rust-gamedig" },
  battalion1944: {
    name: "Battalion 1944",
    aliases: ["bat1944", "batt1944"],
    appIds: [489940],
    folders: ["TDM", "BOMB"],
    port: 7777,
    queryPorts: [{ offset: 3 }],
    counts: "rules",
    reader: "battalion1944"
  },
  breach: { name: "Breach", port: 27016 },
  beyondthewire: {
    name: "Beyond the Wire",
    appIds: [1058650],
    port: 7887,
    queryPorts: [{ port: 27165 }],
    from: "steam"
  },
  blackwake: {
    name: "Blackwake",
    appIds: [420290],
    port: 25001,
    queryPorts: [{ port: 27015 }],
    from: { appIds: ["amp", "steam"] }
  },
  brink: { name: "Brink", appIds: [22350], folders: ["Brink"], ...NEXT_PORT, reader: "brink" },
  codbo3: { name: "Call of Duty: Black Ops III", appIds: [311210], port: 27017, from: "rust-gamedig" },
  codmw3: {
    name: "Call of Duty: Modern Warfare 3",
    appIds: [42690],
    folders: ["modernwarfare3"],
    queryPorts: [{ offset: 2 }],
    reader: "codmw3"
  },
  cmw: {
    name: "Chivalry: Medieval Warfare",
    aliases: ["chivalry"],
    appIds: [219640],
    port: 7777,
    queryPorts: [{ offset: 2 }],
    from: "rust-gamedig"
  },
  dow: { name: "Days of War", aliases: ["daysofwar"], appIds: [454350], folders: ["unrealtest"], reader: "dow" },
  exfil: { name: "EXFIL", appIds: [860020], ...UNREAL_PORTS, from: { appIds: ["amp", "steam"] } },
  groundbreach: {
    name: "GROUND BRANCH",
    aliases: ["groundbranch"],
    appIds: [16900],
    from: { appIds: ["amp", "steam"] }
  },
  hll: { name: "Hell Let Loose", appIds: [686810], folders: ["hlldir"], reader: "hll" },
  homefront: { name: "Homefront", appIds: [55100], from: "a2s" },
  insurgencysandstorm: {
    folders: ["sandstorm"],
    name: "Insurgency: Sandstorm",
    aliases: ["inss", "sandstorm"],
    appIds: [581320],
    port: 27102,
    queryPorts: [{ port: 27131 }, { offset: 29 }, { offset: 1 }],
    reader: "sandstorm",
    from: { appIds: "rust-gamedig", folders: "report" }
  },
  killingfloor2: {
    name: "Killing Floor 2",
    aliases: ["kf2"],
    appIds: [232090],
    folders: ["kf2"],
    ...UNREAL_PORTS,
    reader: "unreal3"
  },
  mnc: { name: "Monday Night Combat", appIds: [63200], port: 7777, queryPorts: [{ port: 27016 }], from: "a2s" },
  mordhau: { name: "Mordhau", appIds: [629760], folders: ["mordhau"], ...UNREAL_PORTS, reader: "mordhau" },
  naturalselection2: { name: "Natural Selection 2", aliases: ["ns2"], appIds: [4920], ...NEXT_PORT, from: "a2s" },
  ohd: {
    name: "Operation: Harsh Doorstop",
    appIds: [736590],
    port: 7777,
    queryPorts: [{ port: 27005 }],
    from: "rust-gamedig"
  },
  postscriptum: {
    name: "Squad 44 (Post Scriptum)",
    aliases: ["ps", "squad44"],
    appIds: [736220],
    port: 10027,
    queryPorts: [{ offset: 10 }, { port: 27025 }],
    from: "rust-gamedig"
  },
  pavlovvr: {
    name: "Pavlov VR",
    aliases: ["pavlov"],
    appIds: [555160],
    port: 7777,
    note: "The tables of other programs list no separate query port, and LinuxGSM checks a TCP port. Therefore it is possible that servers do not support A2S.",
    from: { appIds: ["amp", "steam"] }
  },
  pce: {
    name: "Primal Carnage: Extinction",
    aliases: ["primalcarnage"],
    appIds: [321360],
    ...UNREAL_PORTS,
    from: "a2s"
  },
  quakelive: {
    name: "Quake Live",
    aliases: ["ql"],
    appIds: [282440],
    folders: ["baseq3"],
    port: 27960,
    reader: "quakelive"
  },
  redorchestra2: {
    name: "Red Orchestra 2",
    aliases: ["ro2"],
    appIds: [35450],
    folders: ["ro2"],
    ...UNREAL_PORTS,
    reader: "unreal3"
  },
  rs2v: {
    name: "Rising Storm 2: Vietnam",
    aliases: ["rs2", "risingstorm2"],
    appIds: [418460],
    folders: ["RS2"],
    reader: "unreal3"
  },
  shatteredhorizon: { name: "Shattered Horizon", appIds: [18110], from: "a2s" },
  toxikk: { name: "TOXIKK", appIds: [324810], ...UNREAL_PORTS, from: "steam" }
})
