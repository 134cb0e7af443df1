/** Exports the parser of replies to `status` as a separate module, so that the parser is loaded only when needed. */
export { readStatus } from "@sourcewire/core/text"
