/** The names of the master profiles. */

/**
 * Master profiles, in the order of the command-line help. `valve` sends one page per request. A page starts after the last address of the
 * previous page, and the last page has an end mark. `xash3d` replies to one request with the whole list, in many datagrams, even if the
 * client's address is not verified. Each datagram of the list ends with an end mark.
 */
export const masterProfileNames = ["valve", "xash3d"] as const

/** Name of a master profile. */
export type MasterProfileName = (typeof masterProfileNames)[number]
