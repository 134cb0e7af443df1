/** What was seen of a server at one time: the input of a {@link Survey}. All parts are optional, and a missing part leads to no finding. */

/** The parts of an INFO reply that are compared. An `InfoReply` or `GoldSourceInfoReply` fits. */
export interface ObservedInfo {
  readonly name: string
  readonly map: string
  readonly folder: string
  readonly players: number
  readonly maxPlayers: number
  readonly bots?: number | undefined
  /** `sourcetv` and `proxy` relay another server's game, so their lists may repeat it. */
  readonly serverType?: string | number | undefined
  readonly steamId?: string | undefined
  readonly keywords?: string | undefined
}

/** A PLAYER reply. A `PlayersReply` fits. */
export interface ObservedPlayers {
  readonly players: ReadonlyArray<{ readonly name: string; readonly score: number; readonly duration: number }>
  readonly truncated?: boolean | undefined
}

/** A RULES reply. A `RulesReply` fits. */
export interface ObservedRules {
  readonly rules: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** The result of a handshake (`q`). */
export interface ObservedHandshake {
  /** Whether the server replied at all. */
  readonly replied: boolean
  /** Address to which the server sends players, from `ConnectRedirectAddress`. */
  readonly redirect?: string | undefined
}

/** Steam's own entry for the server, from `IGameServersService/GetServerList`. */
export interface ListEntry {
  readonly players: number
  readonly bots?: number | undefined
  /** Whether Steam authenticates the server's players. */
  readonly secure?: boolean | undefined
}

/** Round-trip times in ms. Leave out times that may belong to another transmission. */
export interface ObservedRtt {
  readonly info?: number | undefined
  readonly players?: number | undefined
  readonly handshake?: number | undefined
}

/** For how long a server has reported one player count, if the caller has queried it more often than it adds observations. */
export interface ConstantCount {
  /** When the first reply with this count arrived, in ms since 1970. */
  readonly sinceMs: number
  /** Replies with this count, this one included. */
  readonly observations: number
}

export interface Observation {
  /** Numeric, with its port: `192.0.2.1:27015` or `[2001:db8::1]:27015`. */
  readonly address: string
  /** When the INFO reply arrived, in ms since 1970. */
  readonly atMs: number
  /** When the PLAYER reply arrived; `atMs` if absent. */
  readonly playersAtMs?: number | undefined
  readonly info?: ObservedInfo | undefined
  readonly players?: ObservedPlayers | undefined
  readonly rules?: ObservedRules | undefined
  readonly handshake?: ObservedHandshake | undefined
  readonly listed?: ListEntry | undefined
  readonly rttMs?: ObservedRtt | undefined
  readonly constantCount?: ConstantCount | undefined
  /** Name of the place that sent the queries, if there are several. */
  readonly observer?: string | undefined
  /** Whether the caller drew the port at random, without any list naming it. */
  readonly randomPort?: boolean | undefined
}
