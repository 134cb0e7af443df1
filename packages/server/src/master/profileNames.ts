/** The names of the master profiles. */

/**
 * Master profiles, in the order of the help. `valve` sends one page per request. A page starts after the last address of the previous page,
 * and the last page has an end mark. `xash3d` sends the whole list at once to any address, in many datagrams. Each of these datagrams has
 * an end mark.
 */
export const masterProfileNames = ["valve", "xash3d"] as const

/** Name of a master profile. */
export type MasterProfileName = (typeof masterProfileNames)[number]
