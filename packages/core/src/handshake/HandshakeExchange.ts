/**
 * The first exchange of joining a server, as a machine: a request out, a challenge back. It goes no further, and nobody is let in by it.
 *
 * - There are three forms (`forms.ts`). While the server's is not known they are tried in turn; the first request of each is no
 *   retransmission. A reply shows the server's form, and from then on only that is used.
 * - In Source 2013's form only a reply that repeats the client's number counts: nobody off the path can forge one. The two other forms
 *   repeat no number of the client's.
 * - CS:GO's `connect-retry` asks for the same request with the server's challenge.
 * - A plain challenge (`A` and a number) is sent back in place of the client's number. Servers that send strangers no more than they got,
 *   ours among them, ask for that. The same challenge again is then the answer.
 * - 0x39 and 0x6C are refusals; a redirect to another server is an answer.
 * - A server that is silent to all is asked for queries and pings, so that the failure says what it does answer (`otherSigns.ts`).
 *
 * | state | the handshake's reply | a plain challenge, `connect-retry` | the same again | silence |
 * |---|---|---|---|---|
 * | asking | done | challenged: asks with it | | asks again, in another form |
 * | challenged | done | asks with the new one | insisted, or done if it is surely no repetition of the network | asks again |
 * | insisted | done | challenged: asks with the new one | done | asks again; at the end done, with the challenge |
 */
import { type DecodeError, ChallengeReply } from "@sourcewire/protocol"
import {
  beginsWith,
  CHALLENGE_BYTES,
  challengeOf,
  ConnectionRejected,
  CsgoHandshakeChallenge,
  GoldSourceHandshakeChallenge,
  HandshakeChallenge,
  HEADER_BYTES,
  isGoldSourceLog,
  isHandshakeChallenge,
  MessageType,
  messageType
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import * as failures from "../query/failures.ts"
import { RequestKind, Retry, type RoundTrip } from "../engine/Retry.ts"
import { DEFAULT_RETRIES, MAX_CHALLENGE_ROUNDS } from "../Limits.ts"
import { type QueryError, UnexpectedReply } from "../engine/QueryError.ts"
import { HANDSHAKE_FORMS, type HandshakeForm, MISREAD_NUMBER, numberIn, requestOf } from "./forms.ts"
import { hintOf, type Sign, signOf, SIGNS_ASKED } from "./otherSigns.ts"

/** How a server wants users to prove who they are, by the number in its reply. Others are known to exist. */
export type AuthProtocol = "certificate" | "hashed-cd-key" | "steam"

const AUTH_PROTOCOLS: Readonly<Record<number, AuthProtocol>> = { 1: "certificate", 2: "hashed-cd-key", 3: "steam" }

/** The reply in one of the forms; the plain challenge of a server that gives nothing else; or a redirect. */
export type HandshakeReply =
  | HandshakeChallenge
  | CsgoHandshakeChallenge
  | GoldSourceHandshakeChallenge
  | ChallengeReply
  | ConnectionRejected

/** A server's answer to the request, and the round trip of that. */
export interface HandshakeAnswer extends MeasuredRoundTrip {
  readonly reply: HandshakeReply
  /** The form of the reply. Absent for a plain challenge and a redirect. */
  readonly form?: HandshakeForm
  /** How the server authenticates users, by number, and the number's name if it has one. */
  readonly authProtocol?: number
  readonly authProtocolName?: AuthProtocol
  /** SteamID of the server, in decimal; absent with another authentication than Steam's. */
  readonly steamId?: string
  /** Whether Valve Anti-Cheat is on; absent with another authentication than Steam's. */
  readonly vac?: boolean
  /** CS:GO alone tells it: empty without lobbies. */
  readonly lobbyType?: string
  /** Whether a password is needed to join; CS:GO alone tells it. */
  readonly passwordRequired?: boolean
  /** Address of another server to join instead, as `IP:PORT`, as the server sent it. */
  readonly redirect?: string
  /** The number in the request that was answered; GoldSource's request has none. */
  readonly clientChallenge?: number
  /** Datagrams it took. */
  readonly sent: number
  readonly received: number
}

/** What the first requests of the other forms count as. No request with a challenge is outstanding while GoldSource's form is tried. */
const CSGO_OPENING = RequestKind.Alternate
const GOLDSOURCE_OPENING = RequestKind.Challenged

const GOLDSOURCE_REPLY = "A00000000 "

/** How a refusal begins that names another server. */
const REDIRECT = /^ConnectRedirectAddress:\s*(\S+)/

/** One handshake with one server. */
export class HandshakeExchange implements Exchange<HandshakeAnswer> {
  /** What it asks for, for messages to people. */
  static readonly label = "the handshake (0x71, getchallenge)"
  packet: Uint8Array
  result: Result.Result<HandshakeAnswer, QueryError> | undefined = undefined
  /** Datagrams received, of whatever kind. */
  received = 0
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  /** The client's own number. */
  private readonly own: number
  /** The challenge that the server gave, once it has. */
  private given: number | undefined = undefined
  /** Those that are tried: the server's alone, once that is known. */
  private forms: ReadonlyArray<HandshakeForm>
  /** Which of them the packet has, and how many have not been tried. */
  private current = 0
  private untried: number
  /** Whether a request in CS:GO's form was sent. */
  private askedCsgo = false
  private rounds = 0
  /** The plain challenge that we brought back, come again, and how often we had asked by then. */
  private insisted:
    | { readonly reply: ChallengeReply; readonly rtt: MeasuredRoundTrip; readonly sent: number }
    | undefined
  private unexpected: UnexpectedReply | undefined = undefined
  /** Requests for a sign that were sent, the replies to them, and what they show. */
  private signsSent = 0
  private signsReceived = 0
  private readonly signs = new Set<Sign>()

  /** `clientChallenge` is any 32-bit number, best one that nobody can guess. `form` is the only one to try. */
  constructor(clientChallenge: number, settings: ExchangeSettings, roundTrip?: RoundTrip, form?: HandshakeForm) {
    this.settings = settings
    this.retry = new Retry(settings, roundTrip)
    this.own = clientChallenge | 0
    this.forms = form === undefined ? HANDSHAKE_FORMS : [form]
    this.untried = this.forms.length - 1
    this.packet = this.request()
  }

  get deadline(): number {
    return Math.min(this.retry.deadline, this.signDueAt)
  }

  get outstanding(): number {
    return this.retry.outstanding + this.signsSent
  }

  comeAfter(outstanding: number): void {
    this.retry.comeAfter(outstanding)
  }

  start(now: number): Step {
    this.retry.begin(now)
    return this.send(now)
  }

  fail(error: QueryError): Step {
    return this.result === undefined ? this.finish(Result.fail(error)) : Step.Done
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.result !== undefined) return Step.Done
    this.received++
    return this.read(datagram, now)
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    const isOver = this.retry.isOver(now)
    if (!isOver && this.signDueAt <= now) {
      this.packet = SIGNS_ASKED[this.signsSent++]!.packet
      return Step.Send
    }
    if (!isOver && this.untried > 0) {
      this.untried--
      this.current++
      return this.send(now)
    }
    switch (this.retry.afterSilence(now)) {
      case "over":
        return this.insisted === undefined
          ? this.finish(Result.fail(this.whyNothing()))
          : this.succeed(this.insisted.reply, this.insisted.rtt, { clientChallenge: this.insisted.reply.challenge })
      case "again":
        this.current = (this.current + 1) % this.forms.length
        return this.send(now)
      case "wait":
        return Step.Wait
    }
  }

  private read(datagram: Uint8Array, now: number): Step {
    const type = messageType(datagram)
    switch (type) {
      // What is none of ours is only counted.
      case -1:
        return Step.Wait
      case MessageType.S2C_CHALLENGE:
        if (this.given === undefined && this.signsSent > 0 && challengeOf(datagram, type) !== undefined) break
        return this.readChallenge(datagram, now)
      case MessageType.A2C_PRINT:
      case MessageType.S2C_CONNREJECT:
        if (isGoldSourceLog(datagram)) break
        return this.receiveRefusal(datagram, now)
    }
    const sign = signOf(datagram)
    if (sign === "challenge" || (sign !== undefined && this.signsSent > 0)) {
      this.signs.add(sign)
      this.signsReceived++
      return Step.Wait
    }
    this.unexpected = failures.unexpectedReply(HandshakeExchange.label, type)
    return Step.Wait
  }

  private readChallenge(datagram: Uint8Array, now: number): Step {
    if (isHandshakeChallenge(datagram)) {
      return this.take(HandshakeChallenge.decode(datagram), now, (reply) => this.receiveSource(reply, now))
    }
    if (datagram.length <= CHALLENGE_BYTES || challengeOf(datagram) !== undefined) {
      return this.take(ChallengeReply.decode(datagram), now, (reply) => this.receivePlain(reply, now))
    }
    if (beginsWith(datagram, GOLDSOURCE_REPLY)) {
      return this.take(GoldSourceHandshakeChallenge.decode(datagram), now, (reply) =>
        this.succeed(reply, this.measured(now, GOLDSOURCE_OPENING), { form: "goldsource", ...steamOf(reply) })
      )
    }
    return this.take(CsgoHandshakeChallenge.decode(datagram), now, (reply) => this.receiveCsgo(reply, now))
  }

  /** A challenge of any form, unless it is damaged. */
  private take<A>(decoded: Result.Result<A, DecodeError>, now: number, receive: (reply: A) => Step): Step {
    if (Result.isSuccess(decoded)) return receive(decoded.success)
    this.retry.measure(now, this.requestKind)
    return this.retry.onDamaged(decoded.failure) ? this.send(now) : this.finish(Result.fail(decoded.failure))
  }

  private receiveSource(reply: HandshakeChallenge, now: number): Step {
    const clientChallenge = this.numberFor("source")
    if (reply.clientChallenge === clientChallenge) {
      // It brings back the number, so it is to a request with that number.
      const rtt = this.measured(now, this.given === undefined ? RequestKind.Opening : RequestKind.Challenged)
      return this.succeed(reply, rtt, { form: "source", clientChallenge, ...steamOf(reply) })
    }
    if (reply.clientChallenge === MISREAD_NUMBER && this.askedCsgo && this.forms[this.forms.length - 1] !== "source") {
      this.retry.measure(now, CSGO_OPENING)
      return this.askIn("source", now)
    }
    this.unexpected = anotherNumber(MessageType.S2C_CHALLENGE)
    return Step.Wait
  }

  private receiveCsgo(reply: CsgoHandshakeChallenge, now: number): Step {
    const number = numberIn(reply.context)
    if (number !== undefined && this.askedCsgo && (number === 0 || number === this.given)) {
      const rtt = this.measured(now, number === this.given ? RequestKind.Challenged : CSGO_OPENING)
      return this.succeedCsgo(reply, number, rtt)
    }
    const isRetry = reply.context === "connect-retry"
    if (this.askedCsgo && !isRetry && number === undefined) {
      return this.succeedCsgo(reply, this.numberFor("csgo"), this.measured(now, this.requestKind | CSGO_OPENING))
    }
    // It wants its challenge back; or it answered a request in another form.
    if (reply.challenge === this.given && this.askedCsgo && (this.retry.isTooSoon(now) || !isRetry)) return Step.Wait
    this.retry.measure(now, this.given === undefined ? RequestKind.Opening | CSGO_OPENING : RequestKind.Challenged)
    return this.follow(reply.challenge) ?? this.askIn("csgo", now)
  }

  private receivePlain(reply: ChallengeReply, now: number): Step {
    const sentNumber = this.given ?? this.own
    if (reply.challenge === sentNumber) {
      // Owed to what we sent before, or too early to answer what we sent last, it may be the one before, repeated by the network: then
      // once more will tell.
      const isOwed = this.retry.isOutstanding(RequestKind.Opening)
      const mayBeRepeated = this.insisted === undefined || this.insisted.sent === this.retry.sent
      if (!isOwed && !(this.retry.isTooSoon(now) && mayBeRepeated)) {
        return this.succeed(reply, this.measured(now, RequestKind.Challenged), { clientChallenge: sentNumber })
      }
      const guess = { rttMs: now - this.retry.sentAt, rttAmbiguous: true } as const
      this.insisted = { reply, rtt: isOwed ? this.measured(now, RequestKind.Opening) : guess, sent: this.retry.sent }
      return Step.Wait
    }
    this.retry.measure(now, this.given === undefined ? RequestKind.Opening | CSGO_OPENING : RequestKind.Challenged)
    // Servers that send it read Source 2013's form, whichever is theirs.
    const form = this.forms.length === 1 && this.forms[0] === "csgo" ? "csgo" : "source"
    return this.follow(reply.challenge) ?? this.askIn(form, now)
  }

  private receiveRefusal(datagram: Uint8Array, now: number): Step {
    const { encoding } = this.settings
    if (messageType(datagram) !== MessageType.S2C_CONNREJECT) {
      return this.finish(Result.fail(failures.refused(datagram, encoding)))
    }
    const said = withoutNumber(datagram, this.numberFor("source"))
    const reply = Result.getOrUndefined(ConnectionRejected.decode(said ?? datagram, { encoding }))
    if (said === undefined && reply?.clientChallenge !== undefined && reply.clientChallenge !== MISREAD_NUMBER) {
      this.unexpected = anotherNumber(MessageType.S2C_CONNREJECT)
      return Step.Wait
    }
    const redirect = REDIRECT.exec(reply?.text ?? "")?.[1]
    return reply === undefined || redirect === undefined
      ? this.finish(Result.fail(failures.refused(said ?? datagram, encoding)))
      : this.succeed(reply, this.measured(now, this.requestKind), { redirect })
  }

  /** Takes a challenge of the server's, to be sent back; a failure if there were too many. */
  private follow(challenge: number): Step | undefined {
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) {
      return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
    }
    // What a reply said to an earlier number says nothing about this one.
    this.insisted = undefined
    this.given = challenge
    return undefined
  }

  /** Asks in the server's form, from now on in no other. */
  private askIn(form: HandshakeForm, now: number): Step {
    this.forms = [form]
    this.current = this.untried = 0
    return this.send(now)
  }

  /** Sends the request of the current form. */
  private send(now: number): Step {
    this.packet = this.request()
    if (this.forms[this.current] === "csgo") this.askedCsgo = true
    const { retry } = this
    retry.send(now, this.requestKind)
    return retry.fault === undefined ? Step.Send : this.fail(retry.fault as QueryError)
  }

  private finish(result: Result.Result<HandshakeAnswer, QueryError>): Step {
    this.result = result
    this.retry.end()
    return Step.Done
  }

  private request(): Uint8Array {
    const form = this.forms[this.current]!
    return requestOf(form, this.numberFor(form))
  }

  private numberFor(form: HandshakeForm): number {
    return this.given ?? (form === "csgo" ? 0 : this.own)
  }

  /** What the packet of the current form asks for. */
  private get requestKind(): number {
    if (this.forms[this.current] === "goldsource") return GOLDSOURCE_OPENING
    if (this.given !== undefined) return RequestKind.Challenged
    return this.forms[this.current] === "csgo" ? CSGO_OPENING : RequestKind.Opening
  }

  /** When the next request for a sign is to be sent: while nothing of the handshake has come, and no query was answered. */
  private get signDueAt(): number {
    const { retries, timeoutMs } = this.settings
    const isSilent = this.received === this.signsReceived && !this.signs.has("A2S_INFO")
    const next =
      isSilent && this.result === undefined && retries >= DEFAULT_RETRIES ? SIGNS_ASKED[this.signsSent] : undefined
    return next === undefined ? Number.POSITIVE_INFINITY : this.retry.startedAt + next.at * timeoutMs
  }

  private measured(now: number, kinds: number): MeasuredRoundTrip {
    this.retry.measure(now, kinds)
    return this.retry.rtt!
  }

  private succeedCsgo(reply: CsgoHandshakeChallenge, clientChallenge: number, rtt: MeasuredRoundTrip): Step {
    const { lobbyType, passwordRequired } = reply
    return this.succeed(reply, rtt, { form: "csgo", clientChallenge, lobbyType, passwordRequired, ...steamOf(reply) })
  }

  private succeed(
    reply: HandshakeReply,
    rtt: MeasuredRoundTrip,
    facts: Omit<HandshakeAnswer, "reply" | "sent" | "received" | keyof MeasuredRoundTrip>
  ): Step {
    return this.finish(Result.succeed({ reply, ...facts, ...rtt, sent: this.retry.sent, received: this.received }))
  }

  private whyNothing(): QueryError {
    const { signs } = this
    const phase = this.rounds > 0 ? "challenge" : "request"
    const received = this.received - this.signsReceived
    return (
      this.retry.damage ??
      this.unexpected ??
      failures.timeout(
        HandshakeExchange.label,
        phase,
        this.settings.timeoutMs,
        this.retry.sent,
        received,
        signs.size > 0 && this.rounds === 0 ? hintOf(signs) : false
      )
    )
  }
}

const anotherNumber = (type: number): UnexpectedReply =>
  new UnexpectedReply({
    message: "The handshake's reply does not contain the number of the request: it is for another client, or forged.",
    type
  })

/** A rejection without the client's number in front of its reason; `undefined` if that number is not there. */
const withoutNumber = (datagram: Uint8Array, number: number): Uint8Array | undefined => {
  const at = HEADER_BYTES + 1
  if (datagram.length < CHALLENGE_BYTES) return undefined
  const found = datagram[at]! | (datagram[at + 1]! << 8) | (datagram[at + 2]! << 16) | (datagram[at + 3]! << 24)
  return found === number
    ? Uint8Array.from([...datagram.subarray(0, at), ...datagram.subarray(CHALLENGE_BYTES)])
    : undefined
}

/** What all forms tell in the same words. */
const steamOf = ({
  authProtocol,
  steamId,
  vac
}: HandshakeChallenge | CsgoHandshakeChallenge | GoldSourceHandshakeChallenge): Pick<
  HandshakeAnswer,
  "authProtocol" | "authProtocolName" | "steamId" | "vac"
> => {
  const name = AUTH_PROTOCOLS[authProtocol]
  return {
    authProtocol,
    ...(name === undefined ? {} : { authProtocolName: name }),
    ...(steamId === undefined ? {} : { steamId }),
    ...(vac === undefined ? {} : { vac })
  }
}
