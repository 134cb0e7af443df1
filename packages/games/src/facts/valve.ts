/**
 * Keywords of games on Valve's engines. The server adds a word for each setting that differs from the default, and operators add their own
 * words.
 */
import type { Field, Reader } from "./declaration.ts"
import { means, oneOf } from "./kinds.ts"

const settings: ReadonlyArray<Field> = [
  ["alltalk", "allTalk", means(true), "All talk (sv_alltalk)"],
  ["bunnyhopping", "bunnyHopping", means(true), "Bunny hopping (sv_enablebunnyhopping)"],
  ["friendlyfire", "friendlyFire", means(true), "Friendly fire (mp_friendlyfire)"],
  ["gravity", "gravity", means("changed"), "Gravity (sv_gravity)"],
  ["startmoney", "startMoney", means("changed"), "Start money (mp_startmoney)"],
  ["increased_maxplayers", "moreSlots", means(true), "More slots than usual"]
]

/** Games on Source. */
export const source: Reader = { keywords: settings }

/** Counter-Strike 2, which truncates its keywords. */
export const counterstrike2: Reader = { reported: true, keywords: settings, maxKeywordBytes: 63 }

/** Team Fortress 2: one of its keywords is the type of the map. */
export const teamfortress2: Reader = {
  keywords: [
    ...settings,
    ["nocrits", "criticals", means(false), "Random criticals (tf_weapon_criticals)"],
    ["nodmgspread", "damageSpread", means(false), "Damage spread (tf_damage_disablespread)"],
    ["norespawntime", "respawnTime", means("none"), "Respawn time"],
    ["respawntimes", "respawnTime", means("changed"), "Respawn time"],
    ["highlander", "highlander", means(true), "Highlander (mp_highlander)"],
    ["payload", "mode", means("payload"), "Mode"],
    ["ctf", "mode", means("ctf"), "Mode"],
    ["cp", "mode", means("cp"), "Mode"],
    ["mvm", "mode", means("mvm"), "Mode"]
  ]
}

/** No More Room in Hell. */
export const nmrih: Reader = {
  keywords: [
    ["objective", "mode", means("objective"), "Mode"],
    ["survival", "mode", means("survival"), "Mode"],
    ["ff:", "friendlyFire", oneOf({ on: true, off: false }), "Friendly fire"]
  ]
}
