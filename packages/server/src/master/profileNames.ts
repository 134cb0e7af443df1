/** The names of the ways in which masters answer. */

/**
 * How masters answer, in the order in which help lists it. Valve's: a page at a time, behind the address that was last on the page
 * before; the end mark on the last page. Xash3D's: the whole list at once to anyone, in many datagrams, each with the end mark.
 */
export const masterProfileNames = ["valve", "xash3d"] as const

/** Name of a way to answer. */
export type MasterProfileName = (typeof masterProfileNames)[number]
