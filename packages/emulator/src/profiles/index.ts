/**
 * Profiles by name. The data of a profile, for example its players, are generated. The behaviour of a profile was recorded from real
 * servers.
 *
 * @example
 * import { profiles } from "@sourcewire/emulator"
 * import { isProfileName, profileNames } from "@sourcewire/emulator/machines"
 * const wanted = "rust"
 * if (isProfileName(wanted)) console.log(profiles[wanted]({ people: 100 }).description)
 * else console.log("There are", profileNames)
 */
import type { Profile } from "@sourcewire/server"
import { cs16, hltv, rehlds } from "./goldsource.ts"
import type { ProfileOptions } from "./options.ts"
import { warsow, xash3d } from "./quake.ts"
import { cacher, cs2, csgo, css, ship, sourcetv, tf2 } from "./source.ts"
import { arma3, dayz, rust } from "./survival.ts"

/** Every profile, current games first. */
export const profiles = {
  css,
  tf2,
  cs2,
  csgo,
  sourcetv,
  cs16,
  rust,
  arma3,
  dayz,
  ship,
  cacher,
  rehlds,
  xash3d,
  hltv,
  warsow
} as const satisfies Readonly<Record<string, (options?: ProfileOptions) => Profile>>

/** Name of one of the {@link profiles}. */
export type ProfileName = keyof typeof profiles

/** The names of all profiles, in the order in which the help of the command line lists the names. */
export const profileNames = Object.keys(profiles) as ReadonlyArray<ProfileName>

/** Whether a text is the name of a profile. */
export const isProfileName = (text: string): text is ProfileName =>
  typeof text === "string" && Object.hasOwn(profiles, text)
