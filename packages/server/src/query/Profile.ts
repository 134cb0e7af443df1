/**
 * The data and the behaviour of a server, for `Responder`. In place of a reply, you can pass a function that returns the current reply. The
 * responder calls the function for every query that requests this reply.
 */
import type { Encoding, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type { SplitLayout } from "@sourcewire/protocol/wire"

/**
 * A value, or a function that returns the current value. The function should return the same object until the data change, because the
 * responder encodes every new object.
 */
export type Live<A> = A | (() => A)

/**
 * Kinds of requests. For each kind, {@link Profile.trusts} decides whether unverified addresses get full replies. `text` means the text
 * queries from before 2005 (`details`, `players`, …).
 */
export type RequestKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "text"

/** How challenges are created. */
export interface ChallengeOptions {
  /**
   * The ports from which a client can return its challenge: `address` permits all ports of the client's address, and `endpoint` permits
   * only the port to which the server sent the challenge (default: `address`, as on the GoldSource and Xash engines).
   */
  readonly bind?: "address" | "endpoint"
  /** Minimum lifetime of a challenge, in milliseconds (default: 30 000). The maximum lifetime is twice as long. */
  readonly lifetimeMs?: number
  /**
   * Time after which the key of the challenges is replaced, in milliseconds (default: one hour). The first request after this time creates
   * a new key.
   */
  readonly rotateMs?: number
  /** Creates a key of 16 bytes (default: the runtime's cryptographic generator). */
  readonly makeKey?: () => Uint8Array
}

/** How a server treats challenges. */
export interface ChallengeBehaviour extends Pick<ChallengeOptions, "bind" | "lifetimeMs"> {
  /**
   * The reply to a wrong or expired challenge: a new challenge (default: `challenge`), or no reply (`silence`), as with caches in front of
   * game servers. If `silence` is set, the server also ignores requests for INFO with the challenge −1, as these caches do.
   */
  readonly onWrong?: "challenge" | "silence"
  /** Whether the server replies to A2S_SERVERQUERY_GETCHALLENGE (default: false, as on servers of current games). */
  readonly getChallenge?: boolean
  /**
   * The challenge that the server sends to all clients (default: a different challenge for each client). The qfusion engine always sends 0.
   * A constant challenge proves nothing about the client. Therefore a server with this option replies to requests for INFO, PLAYER and
   * RULES only if {@link Profile.trusts} contains their kind.
   */
  readonly constant?: number
}

/** How the server sends a reply that is larger than `maxBytes`. */
export interface Oversize {
  /**
   * `split` sends the reply in fragments. `whole` sends one large datagram, like Xash3D and Arma. `truncate` sends only the first
   * `maxBytes` bytes of the reply, even if they end in the middle of a text, as Source servers did in 2007.
   */
  readonly how: "split" | "whole" | "truncate"
  /** Maximum size of a datagram, including its header, in bytes: 1260 on Source, 1400 on GoldSource. */
  readonly maxBytes: number
  /** Layout of the header of a fragment (default: `source`). */
  readonly layout?: SplitLayout
  /**
   * Whether split replies are compressed with bzip2 (default: false). This option requires `ResponderOptions.compress` and one of the two
   * Source layouts.
   */
  readonly bzip2?: boolean
  /**
   * Size of the engine's buffer for RULES, in bytes (default: unlimited). If a RULES reply is larger, it contains only the rules that fit
   * into the buffer, and 0 as the number of rules, as on Xash3D.
   */
  readonly bufferBytes?: number
}

/** How a server replies to clients that want to join. */
export interface HandshakeBehaviour {
  /** The form of the messages: `source` is the form of Source 2013 (default), `csgo` is the form of CS:GO. */
  readonly form?: "source" | "csgo"
  /**
   * Number of the authentication protocol (default: 3, Steam). Relays, LAN servers and servers without Steam use 2. This option applies
   * only to the form of Source 2013.
   */
  readonly authProtocol?: number
  /**
   * Version of the network protocol (default: 24). Clients with another version are rejected. This option applies only to the form of
   * Source 2013.
   */
  readonly protocolVersion?: number
  /** Version of the program (default: 13881). Clients with another version are rejected. This option applies only to the form of CS:GO. */
  readonly hostVersion?: number
  /** Kind of the server's lobby, for example `public` (default: none). This option applies only to the form of CS:GO. */
  readonly lobbyType?: string
  /** Password that clients need (default: none). Clients with another password are rejected. */
  readonly password?: string
  /**
   * Address to which players are redirected, for example `192.0.2.7:27015`. The server redirects the client already in its reply to the
   * handshake request, as fake servers do.
   */
  readonly redirect?: string
}

/**
 * The data and behaviour of a server. If the profile contains no reply to a kind of query, the server does not reply to queries of this
 * kind.
 */
export interface Profile {
  /** Short name, for the command line. */
  readonly name: string
  /** Description of the profile, as a sentence. */
  readonly description: string
  /** The reply to A2S_INFO in the current dialect (0x49). */
  readonly info?: Live<InfoReply | undefined>
  /** The reply to A2S_INFO in GoldSource's older dialect (0x6D). */
  readonly legacyInfo?: Live<GoldSourceInfoReply | undefined>
  /**
   * The dialect that the server sends first if the profile contains both `info` and `legacyInfo` (default: `legacy`, as on servers with
   * Reunion or dproto).
   */
  readonly firstInfo?: "info" | "legacy"
  readonly players?: Live<PlayersReply | undefined>
  /**
   * Whether the server hides its players while it is empty or requires a password, as Xash3D does (default: false). A client that sends
   * A2S_PLAYER then gets a challenge, but no list of players.
   */
  readonly hidesPlayers?: boolean
  readonly rules?: Live<RulesReply | undefined>
  /**
   * The text after `j` in the reply to A2A_PING, with one byte per character. If the text is not empty, the reply can be larger than the
   * request. The server then sends it only if {@link Profile.trusts} contains `ping`. Source sent fourteen zeros and a NUL, GoldSource sent
   * one NUL, and HLTV sent 1395 NULs.
   */
  readonly ping?: string
  /**
   * Replies to text queries. The server first looks for a key that equals the whole query. If this key is missing, the server looks for a
   * key that equals the first word of the query.
   */
  readonly texts?: Readonly<Record<string, TextAnswer>>
  readonly challenge?: ChallengeBehaviour
  /** How the server replies to clients that join. The server uses the SteamID, the VAC flag and the version of `info`. */
  readonly handshake?: HandshakeBehaviour
  /**
   * Kinds of requests to which the server sends full replies even if the address is not verified. **Such a server amplifies spoofed
   * requests.** The servers of old games send such replies; new servers should not. For all other kinds of requests, the server sends a
   * reply that is larger than the request only if the request contains a valid challenge.
   */
  readonly trusts?: ReadonlyArray<RequestKind>
  readonly oversize: Oversize
  /** Encoding of all texts (default: `auto`, which writes UTF-8). */
  readonly encoding?: Encoding
}

/**
 * The reply to a text query: one of the profile's replies, or a text that follows FF FF FF FF, with one byte per character. If `challenge`
 * is given, the first `#` in the text is replaced by the client's challenge, as a signed or unsigned decimal number.
 */
export type TextAnswer =
  | "legacyInfo"
  | "players"
  | "rules"
  | "ping"
  | { readonly latin1: string; readonly challenge?: "signed" | "unsigned" }

/** Returns the current value of a {@link Live}. */
export const current = <A>(live: Live<A>): A => (typeof live === "function" ? (live as () => A)() : live)
