/** What RCON servers need, and how a running one is used. */
import type { Endpoint } from "@sourcewire/core/transport"
import type { Encoding } from "@sourcewire/protocol"
import type * as Redacted from "effect/Redacted"
import type { CommandHandler } from "./commandHandler.ts"
import type { LoginAttemptsOptions } from "./loginAttempts.ts"
import type { SegmentFault } from "./outbox.ts"
import type { SourceManners } from "./sourceConnection.ts"

/** What the servers of all engines need. */
export interface RconServerOptions {
  /** An empty one lets nobody in. */
  readonly password: Redacted.Redacted<string>
  /** Carries out the commands. One at a time per connection, or per asking address. */
  readonly handler: CommandHandler
  /** Numeric address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** Default 27015; 0 lets the system choose. */
  readonly port?: number
  /** When an address is banned, and for how long. */
  readonly attempts?: LoginAttemptsOptions
  /** Text of commands and replies; UTF-8 (`auto`) unless told otherwise. */
  readonly encoding?: Encoding
}

/** What a Source RCON server may be told besides. */
export interface SourceRconServerOptions extends RconServerOptions {
  /** Habits of the server it stands for. */
  readonly manners?: SourceManners
  /** Connections at once; 16 unless told otherwise, further ones are closed as they come. */
  readonly maxConnections?: number
  /** How long a connection may be open without the password, in ms; 10 000 unless told otherwise. */
  readonly loginTimeoutMs?: number
  /** How long a connection may say nothing, in ms; ten minutes unless told otherwise. */
  readonly idleTimeoutMs?: number
  /** Cuts what it sends into other segments, to test clients. */
  readonly segments?: SegmentFault
}

/** A running server; closing its scope stops it. */
export interface RconServer {
  /** Where it listens: with the port that the system chose for port 0. */
  readonly local: Endpoint
  /** Forgives an address its wrong passwords and its ban. */
  readonly unban: (address: string) => void
}
