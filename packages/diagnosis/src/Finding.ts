/**
 * Findings about a conversation with a game server. A finding explains why a query failed, or what is unusual about a reply. Each finding
 * has a severity, a hint, and the bytes to which it applies.
 */

/**
 * How serious a finding is.
 *
 * - `error`: the finding explains why a query failed.
 * - `warning`: the reply is unusual, so that programs or players may misunderstand it, or only a part of the reply arrived.
 * - `note`: some servers normally behave in this way, but users often ask about it.
 */
export type Severity = "error" | "warning" | "note"

interface Kind {
  readonly severity: Severity
  /** Recommended action. */
  readonly hint: string
}

/** Each kind of finding with its severity and its hint. */
export const KINDS = {
  "no-reply": {
    severity: "error",
    hint: "Check the address and the query port, and allow UDP on that port in every firewall and router on the way. A wrong port looks the same as a server that does not reply."
  },
  "port-closed": {
    severity: "error",
    hint: "The host is reachable. Start the server, or query the right port: many games use one port for players and another port for queries."
  },
  "fake-ip": {
    severity: "error",
    hint: "Query the server through Steam’s Web API (QueryByFakeIP), or by its real address."
  },
  "part-unanswered": {
    severity: "warning",
    hint: "The server is up. Some servers never reply to this query, hide their players, or drop requests above a rate limit; some firewalls drop this query."
  },
  "silent-after-challenge": {
    severity: "error",
    hint: "Small datagrams pass in both directions, so the port is open. Check whether a firewall drops large replies, whether the challenge was still valid, and whether the server replies to this query at all."
  },
  "wrong-challenge": {
    severity: "error",
    hint: "Copy the four bytes of the challenge to the end of the request exactly as they arrived, without changing their order."
  },
  "challenge-loop": {
    severity: "error",
    hint: "The challenge usually depends on your address. Send the next request without a pause, from the same address and port as before. Check whether a router changes your address between two datagrams."
  },
  "challenge-expired": {
    severity: "note",
    hint: "Challenges are valid for a few seconds only. Accept the new challenge, and send the request again."
  },
  "challenge-unused": {
    severity: "warning",
    hint: "Send the same request again with the four bytes of the challenge at its end. Servers have required this for INFO since 2021; older programs do not support it."
  },
  "challenge-zero": {
    severity: "note",
    hint: "Treat 0 as a challenge like any other: a program that treats 0 as “no challenge” never gets a reply."
  },
  "first-fragment-only": {
    severity: "error",
    hint: "A firewall, a router or a tunnel with a smaller MTU probably drops the other fragments. Allow fragmented and large UDP datagrams, lower the packet size of the server (sv_maxroutable on Source), or shorten the list."
  },
  "missing-fragments": {
    severity: "error",
    hint: "UDP loses datagrams. Send the query again; if the same fragments are missing each time, a firewall or a rate limit drops them."
  },
  "checksum-mismatch": {
    severity: "error",
    hint: "The fragments do not belong together, or their bytes were changed. Send the query again, and do not join fragments with different ids."
  },
  "limit-exceeded": {
    severity: "error",
    hint: "No game server is known to send such a reply. Do not trust the reply."
  },
  malformed: {
    severity: "error",
    hint: "Compare the bytes around this offset with the layout of the message. A plugin, a proxy or a truncated copy can cause such bytes."
  },
  "unknown-message": {
    severity: "warning",
    hint: "The game uses its own type of message, or the bytes belong to another protocol."
  },
  "other-address": {
    severity: "error",
    hint: "Clients drop such replies, because any host could have sent them. Bind the server to the address that is queried, or correct the NAT rule (Docker: publish the UDP port, or use the host’s network)."
  },
  "unexpected-reply": {
    severity: "error",
    hint: "A filter or a cache in front of the server probably sent this message. Query the game server directly, or correct the replies of the filter."
  },
  "packet-loss": {
    severity: "warning",
    hint: "Occasional loss is normal for UDP. Regular loss means a rate limit on the server (HLDS accepts about 3 requests per second per address), or an overloaded connection."
  },
  "duplicate-reply": {
    severity: "note",
    hint: "The network duplicated the datagram, or two programs reply. Ignore the second reply."
  },
  "slow-reply": {
    severity: "warning",
    hint: "Many programs stop waiting after one second. Use a longer timeout, and check the load of the server."
  },
  "large-datagram": {
    severity: "note",
    hint: "The network sends the datagram in several IP fragments, which some firewalls drop. Programs with a small receive buffer truncate the datagram. Use a receive buffer of 65,535 bytes."
  },
  "private-address": {
    severity: "note",
    hint: "From outside, use the public address of the router, and forward UDP on the query port to this host. A query from the same network does not test the forwarding."
  },
  banned: {
    severity: "error",
    hint: "Remove the ban on the server (removeip, or a restart). On GoldSource, wrong RCON passwords lead to a ban; other programs at your address may have sent them."
  },
  "wrong-password": {
    severity: "error",
    hint: "Check rcon_password on the server. Repeated wrong passwords lead to a ban of your address."
  },
  rejected: {
    severity: "error",
    hint: "The text is the server’s reason. If the text mentions a challenge, request a new challenge."
  },
  "password-required": {
    severity: "note",
    hint: "Players need the password to join. Some engines (Xash3D) do not reply to PLAYER while a password is set."
  },
  "all-bots": {
    severity: "warning",
    hint: "Server lists that count only people, such as Steam’s list, show 0 players. Remove the bots, or wait until people join."
  },
  "empty-server": {
    severity: "note",
    hint: "The count comes from the server itself. If people are playing, you are querying another server or an old cache: compare name, map and port."
  },
  "relay-counts": {
    severity: "note",
    hint: "Query the game server itself for its number of players."
  },
  "count-wrapped": {
    severity: "warning",
    hint: "The count is a single byte. Use the count in the keywords or the length of the list, as `summary` of @sourcewire/games does."
  },
  "count-differs": {
    severity: "warning",
    hint: "The replies may be from different times, or one of them comes from a cache. Players who are still connecting, hidden players and relays can be counted in only one of the replies."
  },
  "list-truncated": {
    severity: "warning",
    hint: "The server truncated the list to the size of its datagram, or your program stored too few bytes. Use the complete entries; the announced count is correct."
  },
  "rules-overflow": {
    severity: "warning",
    hint: "Read rules until the datagram ends, and do not rely on the announced number. The rules that did not fit into the buffer of the engine are missing; remove rules on the server."
  },
  "keywords-truncated": {
    severity: "note",
    hint: "The last keyword may be incomplete. Shorten sv_tags on the server."
  },
  "names-hidden": {
    severity: "note",
    hint: "The server hides the names (Counter-Strike 2 and DayZ by default), and no client can change this. Show only the count."
  },
  "players-connecting": {
    severity: "note",
    hint: "Entries without a name are usually people who are still connecting."
  },
  "not-utf8": {
    severity: "warning",
    hint: "Select this encoding in your program (`--encoding` of Sourcewire), or save the server’s configuration as UTF-8."
  },
  "binary-rules": {
    severity: "note",
    hint: "Arma and DayZ do this. Join the rules and remove their escapes, as @sourcewire/games does; do not show them as texts."
  },
  "encoded-twice": {
    severity: "warning",
    hint: "The server sends the garbled text itself: its configuration was read in the wrong encoding. Save the configuration as UTF-8, and restart the server."
  },
  "text-truncated": {
    severity: "note",
    hint: "The server limits texts by bytes, not by characters. Shorten the text; in UTF-8, letters outside ASCII need 2 to 4 bytes."
  },
  "colour-codes": {
    severity: "note",
    hint: "Before you show the text, remove each `^` and the digit after it, or show the text in these colours."
  },
  "frozen-times": {
    severity: "warning",
    hint: "A cache or a proxy sends a stored reply. Query the game server directly to see its current players."
  },
  "proxy-age": {
    severity: "note",
    hint: "The proxy replies from its cache. Query the upstream server for current replies."
  },
  "old-info-format": {
    severity: "note",
    hint: "The order of the fields differs from the order in the reply of type 0x49. Programs that support only type 0x49 cannot read this reply."
  },
  "no-extra-data": {
    severity: "note",
    hint: "Game port, SteamID and keywords are absent. A program must not read beyond the end of the datagram."
  },
  "trailing-bytes": {
    severity: "note",
    hint: "Ignore these bytes. Programs that accept no additional bytes after a reply cannot query this server."
  }
} as const satisfies Readonly<Record<string, Kind>>

export type FindingKind = keyof typeof KINDS

/** Bytes of one datagram. */
export interface Place {
  /** Index of the datagram in the list that the caller passed. */
  readonly datagram: number
  readonly offset: number
  /** Number of bytes. 0 means that the datagram ends at `offset`, although a further byte is required. */
  readonly length: number
}

export interface Finding {
  readonly kind: FindingKind
  readonly severity: Severity
  /** One or two sentences that describe the problem or the unusual fact. */
  readonly text: string
  readonly hint: string
  /** The bytes to which the finding applies: at least one place. */
  readonly places: ReadonlyArray<Place>
  /** Path of the field, as in `players[3].name`, if the finding is about a field. */
  readonly field?: string
}

/** All severities, the most serious first. Findings are shown in this order. */
export const SEVERITIES: ReadonlyArray<Severity> = ["error", "warning", "note"]
