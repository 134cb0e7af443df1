/**
 * Observations of servers, for a {@link Survey}. All replies and counts in an observation are optional. A missing reply or count causes
 * no finding.
 */

/** The fields of an INFO reply that a survey uses. You can pass an `InfoReply` or a `GoldSourceInfoReply`. */
export interface ObservedInfo {
  readonly name: string
  readonly map: string
  readonly folder: string
  readonly players: number
  readonly maxPlayers: number
  readonly bots?: number | undefined
  /**
   * Servers of the types `sourcetv` and `proxy` relay another server's game. Therefore the player lists of a relay and of its game server
   * can be the same.
   */
  readonly serverType?: string | number | undefined
  readonly steamId?: string | undefined
  readonly keywords?: string | undefined
}

/** The fields of a PLAYER reply that a survey uses. You can pass a `PlayersReply`. */
export interface ObservedPlayers {
  readonly players: ReadonlyArray<{ readonly name: string; readonly score: number; readonly duration: number }>
  readonly truncated?: boolean | undefined
}

/** The fields of a RULES reply that a survey uses. You can pass a `RulesReply`. */
export interface ObservedRules {
  readonly rules: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** The result of a handshake. */
export interface ObservedHandshake {
  /** Whether the server replied. A rejection is also a reply. */
  readonly replied: boolean
  /** Address to which the server sends players, from `ConnectRedirectAddress`. */
  readonly redirect?: string | undefined
}

/** Steam's entry for the server, from `IGameServersService/GetServerList`. */
export interface ListEntry {
  readonly players: number
  readonly bots?: number | undefined
  /** Whether Steam authenticates the server's players. */
  readonly secure?: boolean | undefined
  /**
   * The time at which Steam counted, in ms since 1970. Players who arrived after this time do not contradict the count. Omit this time if
   * the survey already contains an observation of this server from before this time.
   */
  readonly atMs?: number | undefined
}

/** Round-trip times, in ms. Omit a round-trip time that is ambiguous. */
export interface ObservedRtt {
  readonly info?: number | undefined
  readonly players?: number | undefined
  readonly handshake?: number | undefined
}

/**
 * How long and how often a server has reported its current player count without a change. Pass this object if you do not add the replies to
 * all your queries to the survey.
 */
export interface ConstantCount {
  /** When the first reply with this count arrived, in ms since 1970. */
  readonly sinceMs: number
  /** Number of replies with this count, including the current reply. */
  readonly observations: number
}

export interface Observation {
  /** Numeric address with its port: `192.0.2.1:27015` or `[2001:db8::1]:27015`. */
  readonly address: string
  /** When the INFO reply arrived, in ms since 1970. */
  readonly atMs: number
  /** When the PLAYER reply arrived, in ms since 1970 (default: `atMs`). */
  readonly playersAtMs?: number | undefined
  readonly info?: ObservedInfo | undefined
  readonly players?: ObservedPlayers | undefined
  readonly rules?: ObservedRules | undefined
  readonly handshake?: ObservedHandshake | undefined
  readonly listed?: ListEntry | undefined
  readonly rttMs?: ObservedRtt | undefined
  readonly constantCount?: ConstantCount | undefined
  /** Name of the location from which the queries were sent, if there are several locations. */
  readonly observer?: string | undefined
  /** Whether you chose the port at random, and no server list contains the port. */
  readonly randomPort?: boolean | undefined
}
