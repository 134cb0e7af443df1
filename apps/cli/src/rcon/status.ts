/** Exports the parser of `status` as a separate module, so that it is loaded only when needed. */
export { readStatus } from "@sourcewire/core/text"
