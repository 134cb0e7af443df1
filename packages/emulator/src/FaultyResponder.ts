/**
 * A responder that injects {@link Faults} into the replies of another responder, for example losses, delays and spoofed replies. This class
 * opens no socket and never waits. It returns datagrams, and the caller must send each of them after the delay that is returned with it.
 *
 * The faults `duplicate` and `spoof` add datagrams to the replies, and attackers could use a public responder to amplify their traffic.
 * Therefore use a responder with faults only on a loopback address.
 */
import { type Passage, NetworkPath } from "@sourcewire/core/testing"
import { type Message, encode } from "@sourcewire/protocol"
import { isSplit, MessageType, messageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Faults } from "./Faults.ts"
import { demand } from "@sourcewire/inside/checks"
import {
  readRequest,
  readChallenge,
  challengeReply,
  uncheckedProfile,
  withChallenge,
  type ResponderOptions
} from "@sourcewire/server/machines"
import { type Profile, Responder } from "@sourcewire/server"
import { faults as faultsShape } from "./shapes.ts"
import { fragmentFaults } from "./fragmentFaults.ts"
import { rulesReply } from "./profiles/cvars.ts"
import { DEFAULT_INFO } from "./profiles/options.ts"
import { playersReply } from "./profiles/people.ts"
import { seeded, type Random } from "./random.ts"

/** Maximum number of stored clients. If there are more clients, the client that was stored first is dropped. */
const MAX_CLIENTS = 4096

const remember = <A>(memory: Map<string, A>, client: string, value: A): void => {
  memory.set(client, value)
  if (memory.size > MAX_CLIENTS) memory.delete(memory.keys().next().value!)
}

/** A {@link Responder} with faults. */
export class FaultyResponder {
  readonly responder: Responder
  /** The faults that the last call of {@link depart} injected, except delays: the result of `depart` contains the delays. */
  injected = new Set<keyof Faults>()
  private readonly faults: Faults
  private readonly random: Random
  private readonly path: NetworkPath
  private readonly droppedByClient = new Map<string, number>()
  private readonly rounds = new Map<string, { readonly round: number; readonly challenge: number }>()

  constructor(profile: Profile, faults: Faults, options: ResponderOptions = {}) {
    demand(uncheckedProfile, profile, "profile")
    demand(faultsShape, faults, "faults")
    this.responder = new Responder(withFaults(profile, faults), options)
    this.faults = faults
    this.random = seeded(faults.seed ?? 1)
    this.path = new NetworkPath(this.random.next)
  }

  /** Returns the datagrams to send in reply to `datagram`, in the order of sending. */
  depart(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Passage> {
    const injected = new Set<keyof Faults>()
    this.injected = injected
    if (this.ignores(address, port)) {
      injected.add("dropFirst")
      return []
    }
    const replies = this.respond(datagram, address, port, now)
    if (replies.length === 0) return []
    if (replies.some(({ length }) => length === this.faults.truncateBytes)) injected.add("truncateBytes")
    const fragments = fragmentFaults(replies, this.faults, this.responder.profile.oversize.layout)
    if (fragments.some((fragment) => !replies.includes(fragment))) {
      for (const fault of IN_FRAGMENTS) if (this.faults[fault] === true) injected.add(fault)
    }
    const passages = this.injectPathFaults(fragments)
    if (this.faults.spoof !== true) return passages
    injected.add("spoof")
    return [forgery(replies), ...passages]
  }

  private ignores(address: string, port: number): boolean {
    const { dropFirst = 0 } = this.faults
    const client = `${address} ${port}`
    const dropped = this.droppedByClient.get(client) ?? 0
    if (dropped < dropFirst) remember(this.droppedByClient, client, dropped + 1)
    return dropped < dropFirst
  }

  /** Returns the responder's reply, or one more challenge if `rechallenge` requires it. */
  private respond(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    const { rechallenge = 0, sameChallenge = false, ban = false } = this.faults
    if (ban) {
      this.injected.add("ban")
      return BANNED
    }
    const plain = () => this.responder.respond(datagram, address, port, now)
    const what = readRequest(datagram)
    if (rechallenge === 0 || (what !== "info" && what !== "players" && what !== "rules")) return plain()
    const challenge = readChallenge(datagram, what)
    if (challenge === undefined) return plain()

    const { challenges } = this.responder
    const key = `${what} ${address} ${port}`
    const last = this.rounds.get(key)
    const right = challenges.accepts(challenge, address, port, now) || challenge === last?.challenge
    if (!right) return plain()
    const round = last?.round ?? 0
    const trueChallenge = challenges.issue(address, port, now)
    if (round >= rechallenge) {
      return this.responder.respond(withChallenge(datagram, what, trueChallenge), address, port, now)
    }
    this.injected.add("rechallenge")
    const next = sameChallenge ? challenge : this.random.int(1, 2 ** 31 - 1)
    remember(this.rounds, key, { round: round + 1, challenge: next })
    return [challengeReply(next)]
  }

  private injectPathFaults(replies: ReadonlyArray<Uint8Array>): ReadonlyArray<Passage> {
    const { reorder, spoof: _, ...way } = this.faults
    const turned = this.path.happens(reorder) && replies.length > 1
    if (turned) this.injected.add("reorder")
    return (turned ? replies.toReversed() : replies).flatMap((reply) => {
      const passages = this.path.pass(reply, way)
      if (passages.length === 0) this.injected.add("loss")
      if (passages.length > 1) this.injected.add("duplicate")
      return passages
    })
  }
}

const IN_FRAGMENTS = ["badChecksum", "wrongId", "foreignFragment"] as const

/** Applies the faults that change the profile. */
const withFaults = (profile: Profile, { truncateBytes, infoFirst }: Faults): Profile => ({
  ...profile,
  ...(infoFirst === true ? { firstInfo: "info" } : {}),
  ...(truncateBytes === undefined ? {} : { oversize: { how: "truncate", maxBytes: truncateBytes } })
})

const encodeBytes = (message: Message): Uint8Array => Result.getOrElse(encode(message), () => new Uint8Array())

const BANNED: ReadonlyArray<Uint8Array> = [
  encodeBytes({ _tag: "PrintReply", text: "You have been banned from this server.\n" })
]

const FORGED_CHALLENGE = 0x0badf00d

/** Spoofed replies, by type byte. These replies are well-formed, but no profile sends a reply with the same content. */
const FORGERIES: Readonly<Record<number, Uint8Array>> = {
  [MessageType.S2C_CHALLENGE]: challengeReply(FORGED_CHALLENGE),
  [MessageType.S2A_PLAYER]: encodeBytes(playersReply([])),
  [MessageType.S2A_RULES]: encodeBytes(rulesReply([{ name: "forged", value: "1" }])),
  [MessageType.S2A_INFO_SRC]: encodeBytes({
    ...DEFAULT_INFO,
    name: "forged",
    map: "forged",
    folder: "forged",
    game: "forged",
    appId: 1,
    players: 66,
    maxPlayers: 66,
    bots: 66,
    version: "forged"
  })
}

/**
 * Returns a spoofed reply. If possible, it has the same type as the genuine reply. If the genuine reply is split, the spoofed reply is a
 * RULES reply. If {@link FORGERIES} lacks the type, the spoofed reply is an INFO reply.
 */
const forgery = (replies: ReadonlyArray<Uint8Array>): Passage => {
  const [first = new Uint8Array()] = replies
  const type = isSplit(first) ? MessageType.S2A_RULES : messageType(first)
  return { bytes: FORGERIES[type] ?? FORGERIES[MessageType.S2A_INFO_SRC]!, afterMs: 0, forged: true }
}
