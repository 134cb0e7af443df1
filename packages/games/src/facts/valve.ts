/** Keywords of games on Valve's engines: the server adds a word for each setting that is not as usual, and operators add their own. */
import type { Field, Reader } from "./declaration.ts"
import { means, oneOf } from "./kinds.ts"

const settings: ReadonlyArray<Field> = [
  { key: "alltalk", fact: "allTalk", as: means(true), says: "Everybody hears everybody (sv_alltalk)" },
  { key: "bunnyhopping", fact: "bunnyHopping", as: means(true), says: "Jumping makes faster (sv_enablebunnyhopping)" },
  { key: "friendlyfire", fact: "friendlyFire", as: means(true), says: "Friends can be hurt (mp_friendlyfire)" },
  { key: "gravity", fact: "gravity", as: means("changed"), says: "Gravity is not the usual one (sv_gravity)" },
  {
    key: "startmoney",
    fact: "startMoney",
    as: means("changed"),
    says: "Money at the start is not as usual (mp_startmoney)"
  },
  { key: "increased_maxplayers", fact: "moreSlots", as: means(true), says: "More places than the game is made for" }
]

/** Games on Source. */
export const source: Reader = { keywords: settings }

/** Team Fortress 2: it has the type of the map among its words. */
export const teamfortress2: Reader = {
  keywords: [
    ...settings,
    { key: "nocrits", fact: "criticals", as: means(false), says: "No critical hits by chance (tf_weapon_criticals)" },
    {
      key: "nodmgspread",
      fact: "damageSpread",
      as: means(false),
      says: "Damage without chance (tf_damage_disablespread)"
    },
    { key: "norespawntime", fact: "respawnTime", as: means("none"), says: "Nobody waits to be back" },
    {
      key: "respawntimes",
      fact: "respawnTime",
      as: means("changed"),
      says: "One waits longer or shorter to be back"
    },
    { key: "highlander", fact: "highlander", as: means(true), says: "One of each class in a team (mp_highlander)" },
    { key: "payload", fact: "mode", as: means("payload"), says: "A cart is pushed" },
    { key: "ctf", fact: "mode", as: means("ctf"), says: "Capture the flag" },
    { key: "cp", fact: "mode", as: means("cp"), says: "Points are taken" },
    { key: "mvm", fact: "mode", as: means("mvm"), says: "Mann vs. Machine" }
  ]
}

/** No More Room in Hell. */
export const nmrih: Reader = {
  keywords: [
    { key: "objective", fact: "mode", as: means("objective"), says: "Objectives are fulfilled" },
    { key: "survival", fact: "mode", as: means("survival"), says: "Waves are survived" },
    { key: "ff:", fact: "friendlyFire", as: oneOf({ on: true, off: false }), says: "Whether friends can be hurt" }
  ]
}
