/**
 * Showing what servers and players wrote: their colour codes, and text that does no harm in a terminal or a page.
 *
 * @module
 */
export { colourRuns, withoutColours } from "./text/ColourCodes.ts"
export * from "./text/DisplayText.ts"
