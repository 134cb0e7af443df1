/**
 * The default query ports in tables of other programs as of November 2026. The keys are our ids of the games. Each table contains only the
 * games that its program queries with A2S. The table of gamedig is not here, because a test reads it from gamedig's package.
 */
import type { Source } from "../src/Source.ts"

/** The query ports of games. The keys are our ids of the games. */
export type PortTable = Readonly<Record<string, number>>

/** Returns a table in which all of these games have the same port. */
const at = (port: number, ...ids: ReadonlyArray<string>): PortTable => Object.fromEntries(ids.map((id) => [id, port]))

/** The port table of each source. */
export const portTables: Readonly<Partial<Record<Source, PortTable>>> = {
  notes: {
    abioticfactor: 27015,
    foundry: 27015,
    icarus: 27015,
    insurgencysandstorm: 27131,
    postscriptum: 10037,
    risingworld: 4255,
    rust: 28017,
    spaceengineers: 27016,
    thefront: 27015,
    theisle: 7778,
    towerunite: 27015,
    unturned: 27015,
    vrising: 9877
  },
  discordgsm: {
    ...at(27015, "aoc", "alienswarm", "ase", "avp2010", "blackmesa", "conanexiles", "contagion", "counterstrike15"),
    ...at(
      27015,
      "counterstrike16",
      "cscz",
      "csgo",
      "css",
      "dow",
      "ddd",
      "dmomam",
      "dal",
      "dod",
      "dods",
      "doi",
      "dota2"
    ),
    ...at(27015, "earthsspecialforces", "fortressforever", "garrysmod", "goldeneyesource", "groundbreach"),
    ...at(27015, "gunmanchronicles", "thehidden", "hl2d", "hld", "hlds", "hll", "homefront", "insurgency"),
    ...at(27015, "killingfloor2", "kreedzclimbing", "l4d", "l4d2", "medievalengineers", "mordhau", "nmrih"),
    ...at(27015, "naturalselection", "nucleardawn", "pixark", "pce", "rdkf", "redorchestra2", "ricochet", "rs2v"),
    ...at(27015, "shatteredhorizon", "theship", "sinepisodes", "spaceengineers", "suicidesurvival", "svencoop"),
    ...at(27015, "synergy", "teamfortress2", "tfc", "towerunite", "zombiemaster", "zps"),
    ...at(27016, "barotrauma", "breach", "brink", "dayofdragons", "insurgencysandstorm", "mnc", "naturalselection2"),
    ...at(27016, "theforest", "unturned", "dayz"),
    ...at(2303, "arma2", "a2oa", "arma3", "dayzmod"),
    ...at(27020, "americasarmy3", "aapg"),
    ...at(27165, "beyondthewire", "squad"),
    atlas: 57561,
    battalion1944: 7780,
    codmw3: 27017,
    egs: 30001,
    hurtworld: 12881,
    jc3m: 4201,
    postscriptum: 10037,
    projectzomboid: 16261,
    quakelive: 27960,
    rust: 28015,
    sdtd: 26901,
    starbound: 21025,
    theisle: 7778,
    valheim: 2457,
    vrising: 9877,
    fs22: 27015
  },
  amp: {
    ...at(27015, "abioticfactor", "aska", "astrocolony", "beastsofbermuda", "blackwake", "exfil", "foundry"),
    ...at(27015, "groundbreach", "humanitz", "icarus", "lastoasis", "nightofthedead", "renown", "sbox", "stationeers"),
    ...at(27015, "subsistence", "thefront", "vein"),
    ...at(27016, "americantrucksimulator", "nebulous", "plainsofpain", "spaceengineers", "towerunite", "unturned"),
    ...at(27016, "wreckfest"),
    aneurismiv: 7779,
    miscreated: 64092,
    pavlovvr: 7777,
    postscriptum: 27025,
    rust: 28016,
    stormworks: 25565,
    theisle: 7778,
    vrising: 9877
  },
  linuxgsm: {
    avorion: 27020,
    humanitz: 27015,
    insurgencysandstorm: 27131,
    pavlovvr: 7777,
    stn: 7951,
    towerunite: 27015
  },
  windowsgsm: {
    ...at(27015, "aska", "citadel", "tf2classified"),
    insurgencysandstorm: 27131,
    lifeisfeudal: 28001,
    unturned: 27016
  },
  pelican: at(27015, "citadel", "noonesurvived"),
  "rust-gamedig": { squad: 27165 },
  gjq: { asrd: 27015, neotokyo: 27015, palworld: 8211 },
  engine: { eye: 27015 }
}

/**
 * Games that are in a table of another program, but not in our records. The keys have the form `source id`. Each value is the reason why
 * our records do not contain the game.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "discordgsm fs22":
    "The table lists Farming Simulator 22 with A2S, but the game reports its state over HTTP, and no server that supports A2S is known."
}

/**
 * Games whose port in a table differs from the first query port in our record. The keys have the form `source id`. Each value explains
 * the difference. In these texts, "the notes" are the table of the source `notes`.
 */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  "amp postscriptum": "The notes, gamedig and DiscordGSM list port 10037; port 27025 is the second candidate.",
  "amp rust":
    "According to the notes, the query port is game port + 1 if RCON is off, and 28017 if RCON uses its usual port. The table's port is a candidate.",
  "amp towerunite": "The notes, gamedig, DiscordGSM and LinuxGSM list port 27015; port 27016 is the second candidate.",
  "amp unturned":
    "According to the notes, the configured port is the query port, and the next port is the game port. The table's port is a candidate.",
  "discordgsm dayofdragons": "gamedig lists port 27015. No source confirms either port, so both are candidates.",
  "discordgsm insurgencysandstorm": "The notes, LinuxGSM and WindowsGSM list port 27131.",
  "discordgsm rust":
    "According to the notes, the default query port changed in February 2023. The table's port is a candidate.",
  "discordgsm spaceengineers": "The notes and AMP list port 27016.",
  "discordgsm unturned":
    "According to the notes, the configured port is the query port, and the next port is the game port. The table's port is a candidate.",
  "gamedig insurgencysandstorm": "The notes, LinuxGSM and WindowsGSM list port 27131.",
  "gamedig risingworld": "The notes list port 4255. According to AMP, port 4254 is the port of an HTTP query over TCP.",
  "gamedig rust":
    "According to the notes, the default query port changed in February 2023. The table's port is a candidate.",
  "gamedig spaceengineers": "The notes and AMP list port 27016.",
  "gamedig theisle": "The notes, AMP and DiscordGSM list port 7778.",
  "gamedig unturned":
    "According to the notes, the configured port is the query port, and the next port is the game port. The table's port is a candidate.",
  "gamedig vrising": "The notes, AMP and DiscordGSM list port 9877. The table's port is a candidate.",
  "windowsgsm unturned":
    "According to the notes, the configured port is the query port, and the next port is the game port. The table's port is a candidate."
}
