/** Limits of the bridge and of the network in the page alike. */

/** Emulated servers that run at a time. */
export const MAX_EMULATED = 256
