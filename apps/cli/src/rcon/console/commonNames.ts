/**
 * Commands and variables that all servers of an engine have, and names of common plugins. Tab completion uses these names. If the user runs
 * `cvarlist` or `cmdlist`, tab completion also uses the names in the server's reply.
 */
import type { RconEngine } from "@sourcewire/core/rcon"

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const EVERYWHERE = words(`
  addip banid changelevel cmdlist cvarlist echo exec heartbeat hostname kick listid listip map mp_fraglimit mp_timelimit
  rcon_password removeid removeip say status sv_cheats sv_contact sv_downloadurl sv_gravity sv_maxrate sv_password users version
  writeid writeip
`)

const VALVE = words(`
  log logaddress_add logaddress_del maps stats meta mp_autoteambalance mp_friendlyfire mp_winlimit nextlevel sv_allowdownload
  sv_alltalk sv_lan sv_logfile sv_minrate sv_rcon_banpenalty sv_rcon_maxfailures sv_rcon_minfailures sv_region
  sv_visiblemaxplayers
`)

export const COMMON_NAMES: Readonly<Record<RconEngine, ReadonlyArray<string>>> = {
  source: [
    ...EVERYWHERE,
    ...VALVE,
    ...words(`
      alias banip bot_add bot_difficulty bot_kick bot_quota cvar_reset find help incrementvar kickall kickid logaddress_delall
      logaddress_list mp_maxrounds mp_restartgame mp_roundtime mp_tournament mp_warmup_end mp_warmuptime mp_warmup_start nav_generate
      plugin_load plugin_print plugin_unload sm sm_ban sm_cvar sm_kick sm_map sm_reloadadmins sm_unban sv_logecho sv_maxupdaterate
      sv_minupdaterate sv_pure sv_setsteamaccount sv_steamgroup sv_tags tf_bot_add tf_bot_kick tf_bot_quota toggle tv_enable
      tv_record tv_retry tv_status tv_stop tv_stoprecord
    `)
  ],
  goldsource: [
    ...EVERYWHERE,
    ...VALVE,
    ...words(`
      allow_spectators amxx amx_ban amx_cvar amx_kick amx_map amx_who decalfrequency edgefriction fps_max localinfo logaddress
      mapcyclefile maxplayers motdfile mp_buytime mp_c4timer mp_chattime mp_flashlight mp_footsteps mp_forcecamera mp_freezetime
      mp_limitteams mp_logdetail mp_logfile mp_maxrounds mp_roundtime mp_startmoney mp_tkpunish pausable reload restart resetrcon
      serverinfo sv_airaccelerate sv_maxspeed sv_proxies sv_restart sv_restartround sv_send_logos sv_send_resources sv_uploadmax
      sv_voiceenable sys_ticrate
    `)
  ],
  quake: [
    ...EVERYWHERE,
    ...words(`
      ban clientkick devmap dumpuser g_gametype g_numbots killserver localinfo logaddress mapcyclefile maplist public
      resetrcon serverinfo set seta sv_defaultmap sv_hostname sv_maxclients sv_pure timelimit
    `)
  ]
}
