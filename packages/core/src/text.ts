/**
 * Processes text from servers and players. This entry makes text safe for terminals and pages, converts colour codes, and parses the output
 * of a server's `status` command.
 *
 * @module
 */
export { type Colour, type ColourRun, colourRuns, withoutColours } from "./text/ColourCodes.ts"
export * from "./text/DisplayText.ts"
export { mergeRoster, type RosterEntry, type RosterSource, type RosterValues } from "./rcon/roster.ts"
export { readStatus, type ServerStatus, type StatusLayout, type StatusPlayer } from "./rcon/ServerStatus.ts"
