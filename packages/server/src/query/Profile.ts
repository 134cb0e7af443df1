/**
 * What a server imitates: its replies, and how its engine sends them. Data only; `Responder` uses it. A game server that embeds the
 * responder provides functions instead of values, which are called for every query.
 */
import type { Encoding, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type { SplitLayout } from "@sourcewire/protocol/wire"

/**
 * A value, or a function that returns the current one. A reply is encoded again only if the function returns another object than last time,
 * so return the same one while nothing has changed.
 */
export type Live<A> = A | (() => A)

/** Kinds of requests that servers treat differently. `text` are the queries from before 2005 (`details`, `players`, …). */
export type RequestKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "text"

/** How challenges are made. */
export interface ChallengeOptions {
  /**
   * What a challenge is bound to: `address` (as the GoldSource and Xash engines do: another port of the same host may use it)
   * or `endpoint`, address and port. Default `address`.
   */
  readonly bind?: "address" | "endpoint"
  /** A challenge is accepted for at least this long and less than twice this long, in milliseconds. Default 30 000. */
  readonly lifetimeMs?: number
  /** A new key is drawn at the first request after this long, in milliseconds. Default one hour. */
  readonly rotateMs?: number
  /** Where keys (16 bytes) come from; by default the runtime's cryptographic generator. */
  readonly makeKey?: () => Uint8Array
}

/** How a server treats challenges. */
export interface ChallengeManners extends Pick<ChallengeOptions, "bind" | "lifetimeMs"> {
  /**
   * Reply to a wrong or expired challenge: a new one (default), or nothing, as caches in front of game servers do. Such caches also ignore
   * an INFO with -1, which does not request a challenge there.
   */
  readonly onWrong?: "challenge" | "silence"
  /** Whether A2S_SERVERQUERY_GETCHALLENGE gets a reply; current games do not reply to it (default: false). */
  readonly getChallenge?: boolean
  /**
   * Always this number, as the qfusion engine does with 0. It proves nothing, so such a profile replies only to kinds that it {@link
   * Profile.trusts}.
   */
  readonly constant?: number
}

/** How a reply that does not fit into a datagram is sent. */
export interface Oversize {
  /** Split into fragments; sent as one large datagram (Xash3D, Arma); or truncated, if necessary within a text (Source of 2007). */
  readonly how: "split" | "whole" | "truncate"
  /** Largest datagram in bytes, header included: 1260 on Source, 1400 on GoldSource. */
  readonly maxBytes: number
  /** Header of the fragments (default: `source`). */
  readonly layout?: SplitLayout
  /** Whether split replies are compressed with bzip2. Requires `ResponderOptions.compress`. Source layouts only (default: false). */
  readonly bzip2?: boolean
  /**
   * Size of the engine's buffer, in bytes. A larger RULES reply contains the rules that fit, and its count is 0, as on Xash3D (default:
   * none).
   */
  readonly bufferBytes?: number
}

/** How clients begin to join. */
export interface HandshakeManners {
  /** The form of its messages: that of Source 2013 (default) or that of CS:GO. */
  readonly form?: "source" | "csgo"
  /** How users are authenticated, in Source 2013's form (default: 3, Steam). Relays, LAN servers and servers without Steam have 2. */
  readonly authProtocol?: number
  /** Version of the network protocol, in Source 2013's form (default: 24). Clients of another version are rejected. */
  readonly protocolVersion?: number
  /** Version of the program, in CS:GO's form (default: 13881). Clients of another version are rejected. */
  readonly hostVersion?: number
  /** Kind of its lobbies, in CS:GO's form, as `public` (default: none). */
  readonly lobbyType?: string
  /** Clients with another password are rejected (default: none is needed). */
  readonly password?: string
  /** Address to which players are sent instead, for example `192.0.2.7:27015`: in reply to the first request, as fake servers do. */
  readonly redirect?: string
}

/** The data of a server. An absent or `undefined` reply is not sent. */
export interface Profile {
  /** Short name, as the command line takes it. */
  readonly name: string
  /** One sentence for people. */
  readonly description: string
  /** A2S_INFO in today's dialect (0x49). */
  readonly info?: Live<InfoReply | undefined>
  /** A2S_INFO in GoldSource's older dialect (0x6D); also the reply to `details`. */
  readonly legacyInfo?: Live<GoldSourceInfoReply | undefined>
  /** If both dialects are present, both are sent: which one goes first (default: `legacy`, as Reunion and dproto do). */
  readonly firstInfo?: "info" | "legacy"
  readonly players?: Live<PlayersReply | undefined>
  /** A2S_PLAYER gets a challenge and then no reply while the server is empty, or while INFO reports a password, as on Xash3D. */
  readonly hidesPlayers?: boolean
  readonly rules?: Live<RulesReply | undefined>
  /**
   * The text after `j` in the reply to A2A_PING, one byte per character. Only an empty text is not larger than its request. Source sent
   * fourteen zeros and a NUL, GoldSource a NUL, HLTV 1395 of them.
   */
  readonly ping?: string
  /** Replies to text queries, by the whole query or otherwise its first word. */
  readonly texts?: Readonly<Record<string, TextAnswer>>
  readonly challenge?: ChallengeManners
  /** How clients begin to join. SteamID, VAC and version are those of `info`. */
  readonly handshake?: HandshakeManners
  /**
   * Kinds of requests that get a full reply without proof of the address. **Such a server amplifies spoofed requests.** Old games do this;
   * new servers should not. For all other kinds, an address gets no more bytes than it sent until it has returned a challenge.
   */
  readonly trusts?: ReadonlyArray<RequestKind>
  readonly oversize: Oversize
  /** Encoding of all texts (default: `auto`, which writes UTF-8). */
  readonly encoding?: Encoding
}

/**
 * Reply to a text query: one of the profile's replies, or the text after FF FF FF FF with one byte per character. With `challenge`, a `#`
 * in it stands for the client's challenge in decimal, as a number with or without a sign.
 */
export type TextAnswer =
  | "legacyInfo"
  | "players"
  | "rules"
  | "ping"
  | { readonly latin1: string; readonly challenge?: "signed" | "unsigned" }

/** The current value of something that may be a function. */
export const current = <A>(live: Live<A>): A => (typeof live === "function" ? (live as () => A)() : live)
