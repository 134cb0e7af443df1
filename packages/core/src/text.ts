/**
 * Functions for text from servers and players: they make text safe for terminals and pages, convert colour codes, and parse the output of a
 * server's `status` command.
 *
 * @module
 */
export { type Colour, type ColourRun, colourRuns, withoutColours } from "./text/ColourCodes.ts"
export * from "./text/DisplayText.ts"
export { mergeRoster, type RosterEntry, type RosterSource, type RosterValues } from "./rcon/roster.ts"
export { readStatus, type ServerStatus, type StatusLayout, type StatusPlayer } from "./rcon/ServerStatus.ts"
