/**
 * Showing what servers and players wrote: their colour codes, and text that does no harm in a terminal or a page. Reading what a server's
 * console prints for `status`.
 *
 * @module
 */
export { type Colour, type ColourRun, colourRuns, withoutColours } from "./text/ColourCodes.ts"
export * from "./text/DisplayText.ts"
export { rosterOf, type RosterEntry, type RosterSource, type RosterValues } from "./rcon/roster.ts"
export { readStatus, type ServerStatus, type StatusLayout, type StatusPlayer } from "./rcon/ServerStatus.ts"
