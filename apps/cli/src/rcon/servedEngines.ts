/**
 * Protocols by which `serve` may be told to serve RCON; apart from what serves it, since the command's flags need no more.
 *
 * @module
 */

/** `source` is TCP, `goldsource` and `quake` are UDP; `both` are the first two on the same port. */
export const SERVED_ENGINES = ["source", "goldsource", "quake", "both"] as const

/** See {@link SERVED_ENGINES}. */
export type ServedEngine = (typeof SERVED_ENGINES)[number]
