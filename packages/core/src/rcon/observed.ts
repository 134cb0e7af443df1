/**
 * The function `rcon` of the Effect API, with spans and metrics. The Promise API loads only `Rcon.ts`, which has no spans and no metrics.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { observed, spanOptions } from "../client/telemetry.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Streams } from "../engine/Streams.ts"
import type { RconOptions } from "./options.ts"
import { type Rcon, type RconConnectError, open } from "./Rcon.ts"

/**
 * Connects to a console and logs in. The session ends when the scope closes.
 *
 * `address` is a text such as `192.0.2.7:27015`, or a parsed address (default port: 27015).
 *
 * The error is `AuthenticationFailed` if the password is wrong, `Refused` if the client's address is banned, and `PortClosed` if the port
 * is closed.
 *
 * If the engine is `auto`:
 *
 * - `connect` opens a TCP connection and requests a challenge from the UDP port at the same time. The session uses the port on which a
 *   console replies first.
 * - If no console replies on either port, and the UDP port is not closed, `connect` finally tries the protocol `quake`.
 * - `connect` sends the password over TCP as soon as the connection is open. Over UDP, `connect` sends the password only if TCP has failed
 *   or a challenge has arrived.
 *
 * The log-in and each command get a span and are counted in the metrics (see `telemetry.ts`). Spans and metrics contain no password,
 * command or reply.
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
