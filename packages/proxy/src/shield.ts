/**
 * Replies to queries from the cache of a game server. This module has no socket and no clock, and never queries the game server.
 *
 * A client must return a challenge to the proxy before the client gets more bytes than it sent. This is required even if the game server
 * sends full replies to unverified addresses.
 */
import type { EncodeError, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { type Profile, type RateLimiter, Responder } from "@sourcewire/server"
import {
  type Answering,
  readRequest,
  type QueryRequest,
  type ChallengeIssuer,
  type Compress,
  NOTHING,
  type Oversize
} from "@sourcewire/server/machines"
import { type Ages, ageReply, isAgeRequest } from "./age.ts"
import { type Part, PARTS, type Replies, type UpstreamCache } from "./cache.ts"
import { type Hiding, hideInInfo, hideInRules } from "./hiding.ts"
import type { ProxyTarget } from "./settings.ts"

/** The parts of a shield that its caller provides: challenges, a rate limit, a compressor and callbacks. */
export interface ShieldTools {
  readonly challenges: ChallengeIssuer
  readonly limit: RateLimiter | undefined
  readonly compress: Compress
  /** The address on which the proxy listens for this server, as `host:port`. */
  readonly listening: string
  /** Called with the error of a reply that cannot be encoded. The reply is not served. */
  readonly onError: (error: EncodeError) => void
}

type Info = Replies["info"][number]

type ShieldTarget = Pick<
  ProxyTarget,
  "hideUpstream" | "maxStaleMs" | "offlineName" | "ping" | "publicAddress" | "upstream"
>

/** The form of large replies for each dialect, used until the game server has sent a large reply. */
const SOURCE: Oversize = { how: "split", layout: "source", maxBytes: 1260 }
const GOLD_SOURCE: Oversize = { how: "split", layout: "goldsource", maxBytes: 1400 }

const NO_PLAYERS: PlayersReply = { _tag: "PlayersReply", announced: 0, players: [], truncated: false }
const NO_RULES: RulesReply = { _tag: "RulesReply", announced: 0, rules: [], truncated: false }

const isInfo = (message: Info): message is InfoReply => message._tag === "InfoReply"
const isLegacy = (message: Info): message is GoldSourceInfoReply => message._tag === "GoldSourceInfoReply"

export class Shield implements Answering {
  private readonly cache: UpstreamCache
  private readonly target: ShieldTarget
  private readonly tools: ShieldTools
  private now = 0
  private responder: Responder | undefined
  private isOffline = false
  private readonly offlineOf: (messages: Replies["info"]) => Replies["info"]
  private readonly shownInfoOf: (messages: Replies["info"]) => Replies["info"]
  private readonly shownRulesOf: (reply: RulesReply) => RulesReply

  constructor(cache: UpstreamCache, target: ShieldTarget, tools: ShieldTools) {
    this.cache = cache
    this.target = target
    this.tools = tools
    const { hideUpstream, offlineName = "" } = target
    this.shownInfoOf = hideUpstream ? last((messages) => hideInInfo(messages, this.hiding())) : (messages) => messages
    this.shownRulesOf = hideUpstream ? last((reply) => hideInRules(reply, this.hiding())) : (reply) => reply
    this.offlineOf = last((messages) => messages.map((message) => toOfflineInfo(message, offlineName)))
  }

  /** The queries to which the shield does not reply now. */
  notServed(now: number): ReadonlyArray<Part> {
    this.setTime(now)
    return PARTS.filter((part) => !this.canAnswer(part))
  }

  private setTime(now: number): void {
    this.now = now
    this.isOffline = !this.cache.isFresh(now, this.target.maxStaleMs)
  }

  respond(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    const what = readRequest(datagram)
    if (what === undefined) return NOTHING
    this.setTime(now)
    // If the shield has no reply to this query, do not send a challenge: a client that returned the challenge would get no reply.
    if (!this.canAnswer(what)) return NOTHING
    if (what === "ping" && isAgeRequest(datagram)) return [ageReply(this.ages())]
    return this.current().respond(datagram, address, port, now)
  }

  /**
   * The ages of the served replies. If the proxy serves an empty player list because INFO reports no players, the list has the age of INFO.
   */
  private ages(): Ages {
    const age = (part: Part): number | undefined => {
      const kept = this.cache.kept(part) ?? this.cache.kept("info")
      return kept === undefined ? undefined : this.now - kept.takenAt
    }
    return { info: age("info"), players: age("players"), rules: age("rules") }
  }

  private canAnswer(what: QueryRequest): boolean {
    switch (what) {
      case "info":
        return this.info() !== undefined
      case "players":
        return this.players() !== undefined
      case "rules":
        return this.rules() !== undefined
      case "ping":
      case "getChallenge":
        return !this.isOffline || this.info() !== undefined
      default:
        return false
    }
  }

  /** Returns the responder. If the form of large replies or the first dialect of INFO has changed, the function creates a new responder. */
  private current(): Responder {
    const info = this.cache.kept("info")?.messages ?? []
    const oversize = this.cache.oversize ?? (info.some(isLegacy) ? GOLD_SOURCE : SOURCE)
    const firstInfo = info[0]?._tag === "GoldSourceInfoReply" ? "legacy" : "info"
    const known = this.responder
    if (known?.profile.oversize === oversize && known.profile.firstInfo === firstInfo) return known
    const { challenges, compress, limit, onError } = this.tools
    const options = { challenges, compress, onError, ...(limit === undefined ? {} : { limit }) }
    return (this.responder = new Responder(this.profile(oversize, firstInfo), options))
  }

  private profile(oversize: Oversize, firstInfo: "info" | "legacy"): Profile {
    return {
      name: "proxy",
      description: `The last replies of ${this.cache.upstream}`,
      info: () => this.info()?.find(isInfo),
      legacyInfo: () => this.info()?.find(isLegacy),
      firstInfo,
      players: () => this.players(),
      rules: () => this.rules(),
      challenge: { getChallenge: true },
      oversize,
      ...(this.target.ping ? { ping: "" } : {})
    }
  }

  private fresh<P extends Part>(part: P): Replies[P] | undefined {
    return this.cache.fresh(part, this.now, this.target.maxStaleMs)
  }

  private info(): Replies["info"] | undefined {
    const messages = this.isOffline ? this.offlineInfo() : this.fresh("info")
    return messages === undefined ? undefined : this.shownInfoOf(messages)
  }

  /** Returns the player list. If the engine sends no list while the server is empty, the proxy serves an empty list. */
  private players(): PlayersReply | undefined {
    const list = this.isOffline ? undefined : this.fresh("players")?.[0]
    return list ?? (this.info()?.at(-1)?.players === 0 ? NO_PLAYERS : undefined)
  }

  private rules(): RulesReply | undefined {
    if (this.isOffline) return this.info() === undefined ? undefined : NO_RULES
    const reply = this.fresh("rules")?.[0]
    return reply === undefined ? undefined : this.shownRulesOf(reply)
  }

  private hiding(): Hiding {
    const { publicAddress, upstream } = this.target
    const { address } = this.cache
    return {
      hosts: address === undefined ? [upstream.host] : [upstream.host, address],
      shown: publicAddress ?? this.tools.listening,
      isForPlayers: publicAddress !== undefined
    }
  }

  /** The last INFO, but with the offline name and without players. */
  private offlineInfo(): Replies["info"] | undefined {
    const messages = this.cache.kept("info")?.messages
    return this.target.offlineName === undefined || messages === undefined ? undefined : this.offlineOf(messages)
  }
}

/**
 * Returns a function that caches the last result of `make`. If the returned function gets the same input as in the last call, it returns
 * the same object as in that call. The proxy would have to encode a new object again.
 */
const last = <A extends object, B>(make: (of: A) => B): ((of: A) => B) => {
  let made: { readonly of: A; readonly result: B } | undefined
  return (of) => {
    if (made?.of !== of) made = { of, result: make(of) }
    return made.result
  }
}

const toOfflineInfo = (message: Info, name: string): Info => {
  // Remove `nameHex`, the original bytes: the encoder would write them instead of the new text.
  const { nameHex: _, ...rest } = message
  return { ...rest, name, players: 0, bots: 0 }
}
