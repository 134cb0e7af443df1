/**
 * What a server claims to be: its replies, and how the engine it stands for hands them out. Data only; `Responder` acts on
 * it. A game server that embeds the responder gives functions in place of values, and they are asked at every query.
 */
import type { Encoding, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type { SplitLayout } from "@sourcewire/protocol/machines"
import type { ChallengeOptions } from "./Challenge.ts"

/**
 * A value, or a function that gives the current one. Replies are encoded anew only when the function returns another object
 * than last time, so return the same one as long as nothing changed.
 */
export type Live<A> = A | (() => A)

/** What a datagram asks for, as far as a server's manners differ. `text` are the queries of before 2005 (`details`, `players`, …). */
export type RequestKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "text"

/** How a server treats challenges. */
export interface ChallengeManners extends Pick<ChallengeOptions, "bind" | "lifetimeMs"> {
  /**
   * To a wrong or expired challenge: a new one (default), or nothing, as caches in front of game servers do. To those an INFO that
   * brings -1 is wrong too: it asks for a challenge by bringing none.
   */
  readonly onWrong?: "challenge" | "silence"
  /** Whether A2S_SERVERQUERY_GETCHALLENGE is answered; today's games don't. Default false. */
  readonly getChallenge?: boolean
  /** Always this number, as the qfusion engine does with 0. It proves nothing, so such a profile answers only what it {@link Profile.trusts}. */
  readonly constant?: number
}

/** How a reply that does not fit into a datagram leaves the server. */
export interface Oversize {
  /** Cut into fragments; sent as one large datagram (Xash3D, Arma); or just cut off, in mid-text if need be (Source of 2007). */
  readonly how: "split" | "whole" | "truncate"
  /** Largest datagram in bytes, header included: 1260 on Source, 1400 on GoldSource. */
  readonly maxBytes: number
  /** Header of the fragments. Default `source`. */
  readonly layout?: SplitLayout
  /** Compress with bzip2 what needs fragments. Needs `ResponderOptions.compress`. Source layouts only. Default false. */
  readonly bzip2?: boolean
  /**
   * Size of the engine's buffer, in bytes: a RULES reply beyond it holds the rules that fit, and its count says 0, as on Xash3D.
   * Default none.
   */
  readonly bufferBytes?: number
}

/** A server's face. Whatever is absent, or `undefined` at the moment, is not answered. */
export interface Profile {
  /** Short name, as the command line takes it. */
  readonly name: string
  /** One sentence for people. */
  readonly description: string
  /** A2S_INFO in today's dialect (0x49). */
  readonly info?: Live<InfoReply | undefined>
  /** A2S_INFO in GoldSource's older dialect (0x6D); also the answer to `details`. */
  readonly legacyInfo?: Live<GoldSourceInfoReply | undefined>
  /** Where both dialects are there, both are sent: which goes first. Default `legacy`, as Reunion and dproto do. */
  readonly firstInfo?: "info" | "legacy"
  readonly players?: Live<PlayersReply | undefined>
  /** A2S_PLAYER gets a challenge and then no answer while nobody is on the server, or INFO says that it wants a password, as on Xash3D. */
  readonly hidesPlayers?: boolean
  readonly rules?: Live<RulesReply | undefined>
  /**
   * What follows `j` in the reply to A2A_PING, one byte per character. Empty is the only text that is no larger than its
   * request; Source sent fourteen zeros and a NUL, GoldSource a NUL, HLTV 1395 of them.
   */
  readonly ping?: string
  /** Answers to text queries, by the whole query or else its first word. */
  readonly texts?: Readonly<Record<string, TextAnswer>>
  readonly challenge?: ChallengeManners
  /**
   * Kinds that are answered in full to anyone, without proof that the asker lives at its address. **Such a server multiplies
   * traffic for whoever forges a sender**; it is how old games are, and nothing that a new server should do. For all other
   * kinds no more bytes leave than came in until a challenge has come back.
   */
  readonly trusts?: ReadonlyArray<RequestKind>
  readonly oversize: Oversize
  /** Encoding of all texts. Default `auto`, which writes UTF-8. */
  readonly encoding?: Encoding
}

/**
 * Answer to a text query: one of the profile's replies, or what follows FF FF FF FF with one byte per character. With `challenge`, a
 * `#` in that stands for the asker's challenge in decimal, as number with or without a sign.
 */
export type TextAnswer =
  | "legacyInfo"
  | "players"
  | "rules"
  | "ping"
  | { readonly latin1: string; readonly challenge?: "signed" | "unsigned" }

/** The value of a {@link Live} at this moment. */
export const current = <A>(live: Live<A>): A => (typeof live === "function" ? (live as () => A)() : live)
