/**
 * Findings about game servers. A finding reports facts that contradict each other, or an unusual fact. A finding does not prove cheating. A
 * finding contains the observed values, the expected behaviour of a game server, the strength of the evidence, and legitimate set-ups that
 * also cause these values.
 */

/**
 * How strong the evidence is.
 *
 * - `strong`: we know no legitimate set-up that causes the finding with default settings.
 * - `medium`: the observation is unusual, but some legitimate set-ups also cause it.
 * - `weak`: the observation often has a legitimate cause, but is worth a check.
 */
export type Strength = "strong" | "medium" | "weak"

interface Kind {
  /** The behaviour of a normal game server. */
  readonly expected: string
  /** Legitimate set-ups that also cause the observed values. */
  readonly honest: ReadonlyArray<string>
}

/**
 * All kinds of findings. A verdict lists strong findings first, and weak findings last. Findings of the same strength have the order of the
 * kinds in this object.
 */
export const KINDS = {
  redirect: {
    expected: "A server that reports players lets other players join at its own address.",
    honest: [
      "a server that has moved and sends players to its new address",
      "a host that spreads players over its own servers"
    ]
  },
  "steam-count": {
    expected: "Steam counts about as many players as the server reports, not counting the server's bots.",
    honest: [
      "an outage of Steam: Steam then counts no players on any server",
      "players who arrived after Steam counted, if the server's list does not show them",
      "players without Steam, on a server that does not use VAC"
    ]
  },
  "uncounted-bots": {
    expected: "If Steam counts a player as a bot, INFO also counts this player as a bot.",
    honest: ["a plugin that hides bots from INFO", "bots that left after Steam counted"]
  },
  "frozen-play-times": {
    expected: "The play time of each connected player grows by one second per second.",
    honest: ["a cache that serves a reply for more than a minute while its game server is down"]
  },
  "irregular-play-times": {
    expected: "The play time of each connected player grows by one second per second.",
    honest: ["a server that was suspended between the two queries"]
  },
  "impossible-arrivals": {
    expected: "A player who arrived between two queries has played no longer than the time between the two queries.",
    honest: ["a plugin that gives new names to anonymous players", "a list that shows only some of the players"]
  },
  "replaced-players": {
    expected: "Some players stay for more than a minute.",
    honest: ["a restart between the two queries", "a plugin that gives new names to anonymous players"]
  },
  "equal-play-times": {
    expected: "Players arrive at different times.",
    honest: ["a map change or restart, after which all players connect again", "bots"]
  },
  "impossible-play-times": {
    expected: "A play time is positive, and shorter than the time for which a server runs without a restart.",
    honest: ["a game that does not send play times"]
  },
  "copied-players": {
    expected: "A player plays on one server at a time.",
    honest: [
      "one server with several public addresses",
      "an intended mirror, such as a query proxy beside its game server"
    ]
  },
  "shared-names": {
    expected: "Most player names appear at only a few addresses.",
    honest: ["bots with the game's default names, if the server does not report these players as bots"]
  },
  "shared-steam-id": {
    expected: "Each game server has its own SteamID.",
    honest: ["one server with several public addresses", "an intended mirror", "a server that has just moved"]
  },
  "many-ports": {
    expected: "One machine runs up to a few hundred game servers.",
    honest: ["a large network behind one shared address", "a hosting company whose machines share one IPv6 network"]
  },
  "same-name-ports": {
    expected: "Game servers on the same host have different names.",
    honest: ["one game mode on many ports, all with one name"]
  },
  "random-ports": {
    expected: "If a game server runs on a port, a server list contains this port.",
    honest: ["a host that runs servers on most of its ports without listing them"]
  },
  "copied-info": {
    expected: "Servers with players differ in name, map, player count or keywords.",
    honest: ["one server with several public addresses", "servers with the game's default name and settings"]
  },
  "copied-rules": {
    expected: "Servers of different hosts differ in some rules.",
    honest: ["servers of one hosting company with its default settings"]
  },
  "observer-dependent-info": {
    expected: "INFO does not depend on the client.",
    honest: ["caches of different ages between the clients and the server"]
  },
  "no-handshake": {
    expected: "A server that replies to INFO also replies to the handshake of its game.",
    honest: ["a query cache whose game traffic uses another port", "flood protection that drops handshakes"]
  },
  "rtt-difference": {
    expected: "The same machine replies to INFO and to the handshake. Therefore the round-trip times are similar.",
    honest: [
      "anycast protection or a query cache close to you",
      "a busy server that replies to INFO sooner than to a handshake"
    ]
  },
  "constant-count": {
    expected: "If a server has players, its player count changes within a few hours.",
    honest: ["a server for bots", "players who are away from their keyboards"]
  }
} as const satisfies Readonly<Record<string, Kind>>

export type FindingKind = keyof typeof KINDS

/** The kinds of findings that require the result of a handshake. */
export const HANDSHAKE_KINDS: ReadonlySet<FindingKind> = new Set(["redirect", "no-handshake", "rtt-difference"])

/** The kinds of findings that require Steam's counts. */
export const STEAM_KINDS: ReadonlySet<FindingKind> = new Set(["steam-count", "uncounted-bots"])

export interface Finding {
  readonly kind: FindingKind
  readonly strength: Strength
  /** A sentence that contains the observed values. */
  readonly observed: string
  readonly expected: string
  readonly honest: ReadonlyArray<string>
}

export const finding = (kind: FindingKind, strength: Strength, observed: string): Finding => ({
  kind,
  strength,
  observed,
  ...KINDS[kind]
})

/** All findings about one address. */
export interface Verdict {
  readonly address: string
  /** Whether at least one finding is strong. `false` does not prove that the server is genuine. */
  readonly contradicted: boolean
  readonly findings: ReadonlyArray<Finding>
  /** Number of observations with an INFO reply. */
  readonly observations: number
}
