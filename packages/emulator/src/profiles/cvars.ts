/**
 * Console variables for generated rules: names that the engines use, with values in every shape that a client may be
 * tempted to turn into a number.
 */
import type { Rule, RulesReply } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import { words } from "./names.ts"

/** A RULES reply that announces what it has. */
export const rulesReply = (rules: ReadonlyArray<Rule>): RulesReply => ({
  _tag: "RulesReply",
  announced: rules.length & 0xffff,
  rules,
  truncated: false
})

const rulesOf = (text: string): ReadonlyArray<Rule> =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...value] = line.trim().split(" ")
      return { name, value: value.join(" ") }
    })

const ENGINE_RULES = rulesOf(`
  coop 0
  deathmatch 1
  mp_autoteambalance 1
  mp_fadetoblack 0
  mp_flashlight 1
  mp_footsteps 1
  mp_friendlyfire 0
  mp_limitteams 2
  mp_maxrounds 0
  mp_startmoney 800
  mp_timelimit 30
  mp_winlimit 0
  sv_alltalk 0
  sv_cheats 0
  sv_friction 4
  sv_gravity 800
  sv_maxspeed 320
  sv_password 0
  sv_stepsize 18
  sv_stopspeed 75
  sv_voiceenable 1
  sv_wateraccelerate 10
  sv_waterfriction 1
`)

const withEngine = (text: string): ReadonlyArray<Rule> =>
  [...ENGINE_RULES, ...rulesOf(text)].toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** Rules that every Source game has; `sv_contact` is empty, `sv_search_key` keeps its leading zeros. */
export const SOURCE_RULES = withEngine(`
  decalfrequency 10
  mp_allowspectators 1
  mp_c4timer 45
  mp_disable_respawn_times 0
  mp_forcecamera 1
  mp_freezetime 6
  mp_roundtime 2.5
  mp_teamlist hgrunt;scientist
  mp_tkpunish 0
  mp_tournament 0
  mp_weaponstay 0
  nextlevel
  r_AirboatViewDampenDamp 1.0
  r_JeepViewZHeight 10.0
  sv_accelerate 10
  sv_airaccelerate 150
  sv_allowdownload 1
  sv_bounce 0
  sv_competitive_minspec 0
  sv_contact
  sv_footsteps 1
  sv_maxusrcmdprocessticks 24
  sv_noclipaccelerate 5
  sv_pausable 0
  sv_rollangle 0
  sv_rollspeed 200
  sv_search_key 0012345
  sv_specspeed 3
  sv_steamgroup
  sv_tags alltalk,increased_maxplayers
  sv_vote_quorum_ratio 0.6
  tv_enable 1
  tv_password 0
  tv_relaypassword 0
`)

/** Rules of a GoldSource server with the usual plugins. */
export const GOLDSOURCE_RULES = withEngine(`
  allow_spectators 1.0
  amx_client_languages 1
  amx_language en
  amx_nextmap de_dust2
  amx_timeleft 12:41
  amxmodx_version 1.10.0.5467
  decalfrequency 30
  edgefriction 2
  hostage_debug 0
  humans_join_team any
  max_queries_sec 3.0
  max_queries_sec_global 30
  max_queries_window 60
  metamod_version 1.21p38
  mp_autokick 1
  mp_buytime 0.25
  mp_c4timer 35
  mp_consistency 1
  mp_forcecamera 0
  mp_freezetime 3
  mp_fraglimit 0
  mp_hostagepenalty 5
  mp_logmessages 1
  mp_roundtime 1.75
  mp_timeleft 761
  pausable 0
  reu_version 0.2.0.13
  sv_accelerate 5
  sv_aim 0
  sv_airaccelerate 10
  sv_airmove 1
  sv_allowupload 1
  sv_bounce 1
  sv_clienttrace 1
  sv_contact admin@example.org
  sv_logblocks 0
  sv_maxrate 25000
  sv_maxupdaterate 101
  sv_minrate 5000
  sv_minupdaterate 20
  sv_proxies 1
  sv_restart 0
  sv_uploadmax 0.5
  sv_version 1.1.2.7/Stdio,48,4554
`)

/** What a GoldSource server with many plugins adds: together with the rules before they need two fragments. */
export const AMX_RULES = rulesOf(`
  amx_deathmatch_respawn 3.0
  amx_extendmap_max 90
  amx_extendmap_step 15
  amx_freq_imessage 180
  amx_gag_minutes 10
  amx_ghostreport_mode 2
  amx_hudsync_channel 4
  amx_mapmenu_rounds 0
  amx_parachute 1
  amx_parachute_cost 1000
  amx_ping_max 150
  amx_ping_samples 05
  amx_reservation 2
  amx_show_activity 2
  amx_sprays_limit
  amx_statscfg_round 1
  amx_tkcontrol_bans 0
  amx_vote_answers 1
  amx_vote_delay 60
  amx_vote_ratio 0.40
  amx_vote_time 10
  amx_votekick_ratio 0.40
  amx_votemap_ratio 0.4
  csstats_maxsize 3500
  csstats_rank 0
  mp_dynamicmapvote 1.0
`)

const PLUGINS = words(`
  advertisements afk_manager antiflood basebans basevotes clientprefs deadchat execconfig funcommands gagmute
  hlstats healthkit mapchooser mapcycle medic mute_idle nextmap nominations parachute playervotes quakesounds
  rankme reserves rockthevote roundend saysounds showdamage spawnprotect sprays stats teambalance teleport trails
  voteban welcome
`)
const SETTINGS = words(`
  announce delay duration enabled flags immunity interval limit log max message min mode ratio sound version
`)

/** `count` settings of made-up plugins, sorted by name and without duplicates (at most 560). */
export const pluginRules = (random: Random, count: number): ReadonlyArray<Rule> =>
  PLUGINS.flatMap((plugin) => SETTINGS.map((setting) => `sm_${plugin}_${setting}`))
    .slice(0, count)
    .map((name) => ({ name, value: settingValue(random, name.slice(name.lastIndexOf("_") + 1)) }))

const settingValue = (random: Random, setting: string): string => {
  switch (setting) {
    case "version":
      return `${random.int(0, 3)}.${random.int(0, 12)}.${random.int(0, 9)}`
    case "message":
      return random.pick(["", "Welcome!", "Добро пожаловать", "gg", "say /rules", "{olive}Enjoy your stay, %N"])
    case "flags":
      return random.pick(["", "z", "b", "0x10", "0"])
    case "ratio":
      return random.pick(["0.6", "0.50", "1.0", ".5"])
    case "enabled":
    case "announce":
    case "log":
      return random.pick(["0", "1"])
    default:
      return random.pick(["-1", "0", "00", "1", "3.0", "15", "30", "60.000000", "0x10", "120", "1e3"])
  }
}
