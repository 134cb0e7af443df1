/** Limits that apply both to the bridge and to the network in the page. */

/** Maximum number of emulated servers that run at the same time. */
export const MAX_EMULATED = 256
