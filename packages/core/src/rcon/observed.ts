/** The verb `rcon` of the Effect API: in spans, and counted. The promises load `Rcon.ts` alone. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { observed, spanOptions } from "../client/telemetry.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Streams } from "../engine/Streams.ts"
import type { RconOptions } from "./options.ts"
import { type Rcon, type RconConnectError, open } from "./Rcon.ts"

/**
 * Connects to a console and logs in; the session lasts as long as the scope.
 *
 * `address` is `host`, `host:port` and so on, as for queries. Fails with `AuthenticationFailed` for a wrong password, `Refused`
 * for a ban, `PortClosed` where nothing listens.
 *
 * With the engine `auto` a TCP connection is tried while the UDP port is asked for a challenge; whichever proves to be a console
 * wins. When neither does and the UDP port is not closed, Quake style is tried last. The password goes to the TCP port as soon as
 * it accepts a connection, and over UDP only once TCP has failed or a challenge came.
 *
 * The log-in and each command are a span and are counted, see `telemetry.ts`; neither says anything of password, command or reply.
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
