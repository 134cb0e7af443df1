/** The names of the master profiles. */

/**
 * Master profiles, in the order of the help. `valve` sends a page at a time, starting after the last address of the previous page, with an
 * end mark on the last page. `xash3d` sends the whole list at once to any address, in many datagrams, each with an end mark.
 */
export const masterProfileNames = ["valve", "xash3d"] as const

/** Name of a master profile. */
export type MasterProfileName = (typeof masterProfileNames)[number]
