/** The verb `rcon` of the Effect API, with spans and metrics. The Promise API loads `Rcon.ts` only. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { observed, spanOptions } from "../client/telemetry.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Streams } from "../engine/Streams.ts"
import type { RconOptions } from "./options.ts"
import { type Rcon, type RconConnectError, open } from "./Rcon.ts"

/**
 * Connects to a console and logs in. The session lives as long as the scope.
 *
 * `address` has the same forms as for queries. Fails with `AuthenticationFailed` if the password is wrong, `Refused` if the address is
 * banned, and `PortClosed` if the port is closed.
 *
 * With the engine `auto`, it opens a TCP connection and requests a challenge from the UDP port at the same time, and uses the first one
 * that is a console. If neither is one and the UDP port is not closed, it tries Quake style last. It sends the password over TCP as soon as
 * the connection is open. It sends the password over UDP only if TCP has failed or a challenge has arrived.
 *
 * The log-in and each command have a span and are counted, see `telemetry.ts`. Spans and metrics contain no password, command or reply.
 */
export const connect = (
  address: string,
  options: RconOptions
): Effect.Effect<Rcon, RconConnectError, Datagrams | Scope.Scope | Streams> =>
  Effect.map(observed("rcon", address, open(address, options)), ({ engine, exec, stream }) => ({
    engine,
    exec: (command, execOptions) => observed("command", address, exec(command, execOptions)),
    stream: (command, execOptions) =>
      Stream.withSpan(stream(command, execOptions), "sourcewire.command", spanOptions("command", address))
  }))
