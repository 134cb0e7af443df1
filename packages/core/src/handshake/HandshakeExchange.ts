/**
 * The first exchange of joining a Source server (document 004), as a machine: 0x71 out, 0x41 with the magic back. It goes no further;
 * nobody is let in by it.
 *
 * - Only a reply that brings the client's number back is taken: nobody off the path can forge one.
 * - A plain challenge instead (0x41 without the magic) is brought back in place of the client's number. Servers that don't answer
 *   strangers with more than they got, ours among them, ask for that. The same challenge again is then the answer.
 * - 0x39 and 0x6C are refusals.
 *
 * | state | the handshake's reply | a plain challenge | the same again | silence |
 * |---|---|---|---|---|
 * | asking | done | challenged: asks with it | | asks again |
 * | challenged | done | asks with the new one | insisted, or done if it is surely no repetition of the network | asks again |
 * | insisted | done | challenged: asks with the new one | done | asks again; at the end done, with the challenge |
 */
import { type DecodeError, ChallengeReply } from "@sourcewire/protocol"
import {
  CHALLENGE_BYTES,
  challengeOf,
  HandshakeChallenge,
  HEADER_BYTES,
  isGoldSourceLog,
  isHandshakeChallenge,
  MessageType,
  messageType,
  REQUESTS
} from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import * as failures from "../query/failures.ts"
import { withChallenge } from "../query/QueryExchange.ts"
import { RepeatedQuestion, type RoundTrip } from "../engine/retransmission.ts"
import { Asked } from "../engine/unanswered.ts"
import { MAX_CHALLENGE_ROUNDS } from "../Limits.ts"
import { type QueryError, UnexpectedReply } from "../engine/QueryError.ts"

/** How a server wants users to prove who they are, by the number in its reply. Others are known to exist. */
export type AuthProtocol = "certificate" | "hashed-cd-key" | "steam"

const AUTH_PROTOCOLS: Readonly<Record<number, AuthProtocol>> = { 1: "certificate", 2: "hashed-cd-key", 3: "steam" }

/** A server's answer to the request, and the round trip of that. */
export interface HandshakeAnswer extends MeasuredRoundTrip {
  /** The handshake's own reply, or the plain challenge of a server that gives nothing else. */
  readonly reply: HandshakeChallenge | ChallengeReply
  /** Name of `reply.authProtocol`, where it is one that is known. */
  readonly authProtocolName?: AuthProtocol
  /** The number in the request that was answered. */
  readonly clientChallenge: number
  /** Datagrams it took. */
  readonly sent: number
  readonly received: number
}

/** Where the client's number stands in the request. */
const NUMBER_AT = HEADER_BYTES + 1

const requestOf = (challenge: number): Uint8Array => withChallenge(REQUESTS.handshake, challenge, NUMBER_AT)

/** One handshake with one server. */
export class HandshakeExchange extends RepeatedQuestion<HandshakeAnswer> {
  /** What it asks for, for messages to people. */
  static readonly asked = "the handshake (0x71)"
  packet: Uint8Array
  private clientChallenge: number
  private rounds = 0
  /** The plain challenge that we brought back, come again, and how often we had asked by then. */
  private insisted:
    | { readonly reply: ChallengeReply; readonly rtt: MeasuredRoundTrip; readonly sent: number }
    | undefined
  private unexpected: UnexpectedReply | undefined = undefined

  /** `clientChallenge` is any 32-bit number, best one that nobody can guess. */
  constructor(clientChallenge: number, settings: ExchangeSettings, roundTrip?: RoundTrip) {
    super(settings, roundTrip)
    this.clientChallenge = clientChallenge | 0
    this.packet = requestOf(clientChallenge)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.result !== undefined) return Step.Done
    this.received++
    const type = messageType(datagram)
    switch (type) {
      // What is none of ours is only counted.
      case -1:
        return Step.Wait
      case MessageType.S2C_CHALLENGE:
        if (isHandshakeChallenge(datagram)) {
          return this.take(HandshakeChallenge.decode(datagram), now, (reply) => this.receiveHandshake(reply, now))
        }
        if (datagram.length <= CHALLENGE_BYTES || challengeOf(datagram) !== undefined) {
          return this.take(ChallengeReply.decode(datagram), now, (reply) => this.receiveChallenge(reply, now))
        }
        break
      case MessageType.A2C_PRINT:
      case MessageType.S2C_CONNREJECT:
        if (isGoldSourceLog(datagram)) break
        return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
    }
    this.unexpected = failures.unexpectedReply(HandshakeExchange.asked, type)
    return Step.Wait
  }

  /** A challenge of either kind, unless it is damaged. */
  private take<A>(decoded: Result.Result<A, DecodeError>, now: number, receive: (reply: A) => Step): Step {
    if (Result.isSuccess(decoded)) return receive(decoded.success)
    this.measure(now, this.asked)
    return this.receiveDamaged(decoded.failure, now)
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    switch (this.afterSilence(now)) {
      case "over":
        return this.insisted === undefined
          ? this.finish(Result.fail(this.whyNothing()))
          : this.succeed(this.insisted.reply, this.insisted.rtt)
      case "again":
        return this.ask(now)
      case "wait":
        return Step.Wait
    }
  }

  private receiveHandshake(reply: HandshakeChallenge, now: number): Step {
    if (reply.clientChallenge !== this.clientChallenge) {
      this.unexpected = new UnexpectedReply({
        message:
          "The reply to the handshake brings back another number than was sent: it belongs to somebody else's, or is forged.",
        type: MessageType.S2C_CHALLENGE
      })
      return Step.Wait
    }
    // It brings back the number, so it is to a request with that number.
    return this.succeed(reply, this.measured(now, this.asked))
  }

  private receiveChallenge(reply: ChallengeReply, now: number): Step {
    if (reply.challenge === this.clientChallenge) {
      // Owed to what we sent before, or too early to answer what we sent last, it may be the one before, repeated by the network: then
      // once more will tell.
      const isOwed = this.listed.has(Asked.Opening)
      const mayBeRepeated = this.insisted === undefined || this.insisted.sent === this.sent
      if (!isOwed && !(this.isTooSoon(now) && mayBeRepeated)) {
        return this.succeed(reply, this.measured(now, Asked.Challenged))
      }
      const guess = { rttMs: now - this.sentAt, rttAmbiguous: true } as const
      this.insisted = { reply, rtt: isOwed ? this.measured(now, Asked.Opening) : guess, sent: this.sent }
      return Step.Wait
    }
    this.measure(now, this.asked)
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) {
      return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
    }
    // What a reply said to an earlier number says nothing about this one.
    this.insisted = undefined
    this.clientChallenge = reply.challenge
    this.packet = requestOf(reply.challenge)
    return this.ask(now)
  }

  /** The packet has our number or one that the server gave. */
  protected override get asked(): number {
    return this.rounds === 0 ? Asked.Opening : Asked.Challenged
  }

  private measured(now: number, asked: number): MeasuredRoundTrip {
    this.measure(now, asked)
    return this.rtt!
  }

  private succeed(reply: HandshakeAnswer["reply"], rtt: MeasuredRoundTrip): Step {
    const name = reply._tag === "HandshakeChallenge" ? AUTH_PROTOCOLS[reply.authProtocol] : undefined
    return this.finish(
      Result.succeed({
        reply,
        ...(name === undefined ? {} : { authProtocolName: name }),
        clientChallenge: this.clientChallenge,
        ...rtt,
        sent: this.sent,
        received: this.received
      })
    )
  }

  private whyNothing(): QueryError {
    const phase = this.rounds > 0 ? "challenge" : "request"
    return (
      this.damage ??
      this.unexpected ??
      failures.timeout(HandshakeExchange.asked, phase, this.settings.timeoutMs, this.sent, this.received)
    )
  }
}
