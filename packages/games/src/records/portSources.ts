/**
 * For each source, the ids of the games whose query port the source confirms. If a game does not support A2S, the confirmed port is the
 * game port. A test compares these ids with the tables of the sources.
 */
import type { Source } from "../Source.ts"

const CONFIRMED: Readonly<Partial<Record<Source, string>>> = {
  notes:
    "abioticfactor foundry icarus insurgencysandstorm postscriptum risingworld rust spaceengineers thefront theisle towerunite unturned vrising",
  gamedig:
    "a2oa aapg abioticfactor actionsource ahl alienswarm americasarmy3 aoc arma2 arma3 armareforger asa ase atlas avorion avp2010 ballisticoverkill barotrauma basedefense battalion1944 blackmesa bladesymphony brainbread brainbread2 breach brink cmw codbo3 codenamecure codmw3 colonysurvival conanexiles contagion corekeeper counterstrike15 counterstrike16 counterstrike2 creativerse cscz csgo css dab dal dayofdragons dayz dayzmod ddd deathmatchclassic dmomam dod dods doi dota2 dow dst dystopia eco egs empiresmod enshrouded ets2 exfil factorio ffow fof fortressforever foundry garrysmod goldeneyesource groundbreach gta5f gunmanchronicles hl2d hld hlds hll hlof homefront hurtworld icarus imic insurgency jc3m killingfloor2 kreedzclimbing l4d l4d2 medievalengineers minecraft mnc moe mordhau naturalselection naturalselection2 nla nmrih nucleardawn ohd onset pce pixark postscriptum projectcars projectcars2 projectzomboid pvak2 quakelive rdkf redorchestra2 rfactor2 ricochet ror2 rs2v satisfactory sdtd shatteredhorizon sinepisodes sotf soulmask starbound stn suicidesurvival svencoop synergy teamfortress2 tfc theforest thefront thehidden theship thespecialists tie towerunite toxikk valheim vampireslayer wurmunlimited zombiemaster zps",
  discordgsm:
    "a2oa aapg alienswarm americasarmy3 aoc arma2 arma3 ase atlas avp2010 barotrauma battalion1944 beyondthewire blackmesa breach brink codmw3 conanexiles contagion counterstrike15 counterstrike16 cscz csgo css dal dayz dayzmod ddd dmomam dod dods doi dota2 dow earthsspecialforces egs fortressforever garrysmod goldeneyesource groundbreach gunmanchronicles hl2d hld hlds hll homefront hurtworld insurgency jc3m killingfloor2 kreedzclimbing l4d l4d2 medievalengineers mnc mordhau naturalselection naturalselection2 nmrih nucleardawn pce pixark postscriptum projectzomboid quakelive rdkf redorchestra2 ricochet rs2v sdtd shatteredhorizon sinepisodes squad starbound suicidesurvival svencoop synergy teamfortress2 tfc theforest thehidden theisle theship towerunite valheim vrising zombiemaster zps",
  amp: "abioticfactor americantrucksimulator aneurismiv aska astrocolony beastsofbermuda blackwake exfil foundry groundbreach humanitz icarus lastoasis miscreated nebulous nightofthedead pavlovvr plainsofpain renown sbox spaceengineers stationeers stormworks subsistence thefront theisle vein vrising wreckfest",
  linuxgsm: "avorion humanitz insurgencysandstorm pavlovvr stn towerunite",
  windowsgsm: "aska citadel insurgencysandstorm lifeisfeudal tf2classified",
  pelican: "citadel noonesurvived",
  "rust-gamedig": "squad",
  gjq: "asrd neotokyo palworld",
  engine: "eye"
}

const confirmed = Object.entries(CONFIRMED).map(([source, ids]) => [source as Source, new Set(ids.split(" "))] as const)

/** Returns all sources that confirm the port of the game with this id. */
export const findPortSources = (id: string): ReadonlyArray<Source> =>
  confirmed.flatMap(([source, ids]) => (ids.has(id) ? [source] : []))
