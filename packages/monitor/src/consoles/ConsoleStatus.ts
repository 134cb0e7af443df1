/** Reads `status` from a server's console: logs in, runs the command, and reads the list of players. */
import { type RconOptions, rcon } from "@sourcewire/core"
import { readStatus } from "@sourcewire/core/text"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The reply to `status` contains no list of players. */
export class NoPlayerList extends Data.TaggedError("Malformed")<{ readonly message: string }> {}

/** Reads the values of `status` and the protocol of the console, and closes the connection. */
export const consoleStatus = Effect.fnUntraced(function* (address: string, options: RconOptions) {
  const session = yield* rcon(address, options)
  const status = readStatus(yield* session.exec("status"))
  if (status.layout === undefined) {
    const message = "the console's reply to `status` has no list of players that Sourcewire can read"
    return yield* new NoPlayerList({ message })
  }
  return { status, engine: session.engine }
}, Effect.scoped)
