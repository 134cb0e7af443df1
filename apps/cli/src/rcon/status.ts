/** Exports the parser of `status` as a separate module, so that it is loaded only when needed. */
export { type RosterEntry, readStatus, mergeRoster } from "@sourcewire/core/text"
