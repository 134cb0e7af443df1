/** Keywords of games on Valve's engines: the server adds a word for each setting that is not as usual, and operators add their own. */
import type { Field, Reader } from "./declaration.ts"
import { means, oneOf } from "./kinds.ts"

const settings: ReadonlyArray<Field> = [
  ["alltalk", "allTalk", means(true), "Everybody hears everybody (sv_alltalk)"],
  ["bunnyhopping", "bunnyHopping", means(true), "Jumping makes faster (sv_enablebunnyhopping)"],
  ["friendlyfire", "friendlyFire", means(true), "Friends can be hurt (mp_friendlyfire)"],
  ["gravity", "gravity", means("changed"), "Gravity is not the usual one (sv_gravity)"],
  ["startmoney", "startMoney", means("changed"), "Money at the start is not as usual (mp_startmoney)"],
  ["increased_maxplayers", "moreSlots", means(true), "More places than the game is made for"]
]

/** Games on Source. */
export const source: Reader = { keywords: settings }

/** Team Fortress 2: it has the type of the map among its words. */
export const teamfortress2: Reader = {
  keywords: [
    ...settings,
    ["nocrits", "criticals", means(false), "No critical hits by chance (tf_weapon_criticals)"],
    ["nodmgspread", "damageSpread", means(false), "Damage without chance (tf_damage_disablespread)"],
    ["norespawntime", "respawnTime", means("none"), "Nobody waits to be back"],
    ["respawntimes", "respawnTime", means("changed"), "One waits longer or shorter to be back"],
    ["highlander", "highlander", means(true), "One of each class in a team (mp_highlander)"],
    ["payload", "mode", means("payload"), "A cart is pushed"],
    ["ctf", "mode", means("ctf"), "Capture the flag"],
    ["cp", "mode", means("cp"), "Points are taken"],
    ["mvm", "mode", means("mvm"), "Mann vs. Machine"]
  ]
}

/** No More Room in Hell. */
export const nmrih: Reader = {
  keywords: [
    ["objective", "mode", means("objective"), "Objectives are fulfilled"],
    ["survival", "mode", means("survival"), "Waves are survived"],
    ["ff:", "friendlyFire", oneOf({ on: true, off: false }), "Whether friends can be hurt"]
  ]
}
