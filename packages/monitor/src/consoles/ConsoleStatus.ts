/** Runs the command `status` on a server's console over RCON, and reads the list of players from the reply. */
import { type RconOptions, rcon } from "@sourcewire/core"
import { readStatus } from "@sourcewire/core/text"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The reply to `status` contains no list of players that Sourcewire can read. */
export class NoPlayerList extends Data.TaggedError("Malformed")<{ readonly message: string }> {}

/**
 * Logs in to the console, runs `status`, and closes the connection. Returns the values that the reply contains, and the name of the
 * console's protocol.
 */
export const consoleStatus = Effect.fnUntraced(function* (address: string, options: RconOptions) {
  const session = yield* rcon(address, options)
  const status = readStatus(yield* session.exec("status"))
  if (status.layout === undefined) {
    const message = "the console's reply to `status` has no list of players that Sourcewire can read"
    return yield* new NoPlayerList({ message })
  }
  return { status, engine: session.engine }
}, Effect.scoped)
