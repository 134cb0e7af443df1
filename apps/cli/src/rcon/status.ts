/** The reader of `status`, in a module of its own: a program that reads none does not load it. */
export { type RosterEntry, readStatus, rosterOf } from "@sourcewire/core/text"
