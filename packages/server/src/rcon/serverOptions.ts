/** Options of RCON servers, and the interface of a running server. */
import type { Endpoint } from "@sourcewire/core/transport"
import type { Encoding } from "@sourcewire/protocol"
import type * as Redacted from "effect/Redacted"
import type { CommandHandler } from "./commandHandler.ts"
import type { LoginAttemptsOptions } from "./loginAttempts.ts"
import type { SegmentFault } from "./outbox.ts"
import type { SourceBehaviour } from "./sourceConnection.ts"

/** Options that the RCON servers of all engines have in common. */
export interface RconServerOptions {
  /** Password that clients must send. If it is empty, the server rejects every login. */
  readonly password: Redacted.Redacted<string>
  /** The function that runs the commands. Each TCP connection runs one command at a time. Over UDP, commands run in parallel. */
  readonly handler: CommandHandler
  /** Numeric address to listen on (default: `127.0.0.1`). */
  readonly host?: string
  /** Port to listen on (default: 27015). With 0, the system chooses a port. */
  readonly port?: number
  /** When an address is banned, and for how long. */
  readonly attempts?: LoginAttemptsOptions
  /** Encoding of commands and replies (default: `auto`, which writes UTF-8). */
  readonly encoding?: Encoding
}

/** Options of a Source RCON server: the options of all RCON servers, and the options that apply only to TCP. */
export interface SourceRconServerOptions extends RconServerOptions {
  /** Differences from Valve's servers, to imitate the servers of other games (default: no differences). */
  readonly behaviour?: SourceBehaviour
  /** Maximum number of connections (default: 16). Further connections are closed at once. */
  readonly maxConnections?: number
  /** Maximum time from the connection to the login, in ms (default: 10 000). A client that has not logged in by then is disconnected. */
  readonly loginTimeoutMs?: number
  /** Maximum time without input after the login, in ms (default: ten minutes). After this time, the client is disconnected. */
  readonly idleTimeoutMs?: number
  /** Splits the output into TCP segments at unusual positions, to test clients (default: no unusual positions). */
  readonly segments?: SegmentFault
}

/** A running server. It stops when its scope closes. */
export interface RconServer {
  /** The local address. If the option `port` is 0, it contains the port that the system chose. */
  readonly local: Endpoint
  /** Forgets the wrong passwords of an address, and removes its ban. */
  readonly unban: (address: string) => void
}
