/** A message in half a line, fit to be shown. */
import { describe as gist } from "@sourcewire/capture"
import { displayText } from "@sourcewire/core/text"
import type { Message } from "@sourcewire/protocol"

/** What stands out in a message, fit to be shown. */
export const describe = (message: Message): string => displayText(gist(message))

export { plural } from "@sourcewire/capture"
