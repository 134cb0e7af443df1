/**
 * The handshake as a state machine: the first exchange when a client joins a server. The client sends a request, and the server replies
 * with a challenge. This module does not send the messages after the handshake, with which a client actually joins.
 *
 * - There are three forms of the handshake (`forms.ts`). While the server's form is unknown, the exchange tries one form after the other.
 *   The first request of each form does not count as a retransmission. When a reply has shown the server's form, the exchange uses only
 *   this form.
 * - In the form of Source 2013, a request contains a number that the client chose, and the reply must repeat this number. Therefore an
 *   attacker who cannot read the traffic cannot forge a reply. In the two other forms, replies do not contain a number that the client
 *   chose.
 * - The reply `connect-retry` of CS:GO means that the client must repeat the request with the server's challenge.
 * - If a plain challenge (`A` and a number) arrives, the exchange repeats the request with this challenge in place of the client's number.
 *   Some servers, for example our own, verify the client's address in this way. Before such a server has verified an address, it sends at
 *   most as many bytes to the address as it has received from the address. If the same challenge arrives again, this challenge is the
 *   result.
 * - A message of type 0x39 or 0x6C rejects the client. If a rejection redirects the client to another server, the redirect is the result.
 * - If the server does not reply at all, the exchange also sends queries and pings (`otherSigns.ts`). If the server replies to these
 *   probes, the error reports which protocols the server supports.
 *
 * | state | handshake reply | plain challenge, `connect-retry` | the same challenge again | no reply |
 * |---|---|---|---|---|
 * | requested | done | challenged; repeats the request with the challenge | | retransmits, in the next form |
 * | challenged | done | repeats the request with the new challenge | insisted; done if the challenge cannot be a duplicate made by the network | retransmits |
 * | insisted | done | challenged; repeats the request with the new challenge | done | retransmits; at the end of the time limit done, with the challenge as the result |
 */
import { type DecodeError, ChallengeReply } from "@sourcewire/protocol"
import {
  beginsWith,
  CHALLENGE_BYTES,
  readChallenge,
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
import { HANDSHAKE_FORMS, type HandshakeForm, MISREAD_NUMBER, parseContext, buildRequest } from "./forms.ts"
import { formatHint, type Sign, findSign, PROBES } from "./otherSigns.ts"

/**
 * The known methods by which servers authenticate users. A reply contains the number of a method. Other numbers than those of the known
 * methods are possible.
 */
export type AuthProtocol = "certificate" | "hashed-cd-key" | "steam"

const AUTH_PROTOCOLS: Readonly<Record<number, AuthProtocol>> = { 1: "certificate", 2: "hashed-cd-key", 3: "steam" }

/** A handshake reply in one of the three forms, a redirect, or the plain challenge if the server sends only plain challenges. */
export type HandshakeReply =
  | HandshakeChallenge
  | CsgoHandshakeChallenge
  | GoldSourceHandshakeChallenge
  | ChallengeReply
  | ConnectionRejected

/** The result of a handshake, with its round-trip time. */
export interface HandshakeAnswer extends MeasuredRoundTrip {
  readonly reply: HandshakeReply
  /** The form of the reply. Absent for a plain challenge and for a redirect. */
  readonly form?: HandshakeForm
  /** The number of the method by which the server authenticates users. If the method is known, `authProtocolName` is its name. */
  readonly authProtocol?: number
  readonly authProtocolName?: AuthProtocol
  /** SteamID of the server, in decimal. Present only if the server uses Steam authentication. */
  readonly steamId?: string
  /** Whether Valve Anti-Cheat is enabled. Present only if the server uses Steam authentication. */
  readonly vac?: boolean
  /** Kind of lobby. Only CS:GO servers send this value. The text is empty if the server has no lobby. */
  readonly lobbyType?: string
  /** Whether players need a password. Only CS:GO servers send this value. */
  readonly passwordRequired?: boolean
  /** Address of the server to which players are redirected, as the server sent it, usually in the form `IP:PORT`. */
  readonly redirect?: string
  /**
   * The number in the request that caused this reply. Absent for a redirect, and for a reply in GoldSource's form, because the request in
   * this form contains no number.
   */
  readonly clientChallenge?: number
  /** Numbers of datagrams sent (`sent`) and received (`received`). */
  readonly sent: number
  readonly received: number
}

/**
 * The {@link RequestKind} of requests without a challenge in CS:GO's form (`CSGO_OPENING`), and of requests in GoldSource's form
 * (`GOLDSOURCE_OPENING`). GoldSource's requests can use the kind `Challenged`: while the exchange tries this form, no request with a
 * challenge is in flight.
 */
const CSGO_OPENING = RequestKind.Alternate
const GOLDSOURCE_OPENING = RequestKind.Challenged

const GOLDSOURCE_REPLY = "A00000000 "

/** Matches the text of a rejection that redirects the client to another server. */
const REDIRECT = /^ConnectRedirectAddress:\s*(\S+)/

/** A handshake with one server. */
export class HandshakeExchange implements Exchange<HandshakeAnswer> {
  /** Name of the request, for error messages. */
  static readonly label = "the handshake (0x71, getchallenge)"
  packet: Uint8Array
  result: Result.Result<HandshakeAnswer, QueryError> | undefined = undefined
  /** Number of received datagrams, of any kind. */
  received = 0
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  /** The client's number. */
  private readonly own: number
  /** The last challenge of the server. Absent before the first challenge. */
  private given: number | undefined = undefined
  /** The forms to try. If the server's form is known, this list contains only that form. */
  private forms: ReadonlyArray<HandshakeForm>
  /** `current` is the index of the current form in `forms`. `untried` is the number of forms that were not tried yet. */
  private current = 0
  private untried: number
  /** Whether a request in CS:GO's form was sent. */
  private sentCsgo = false
  private rounds = 0
  /**
   * Set if the server sends a plain challenge again, although the request already contained this challenge. `sent` is the number of
   * datagrams that the exchange had sent when the challenge arrived again.
   */
  private insisted:
    | { readonly reply: ChallengeReply; readonly rtt: MeasuredRoundTrip; readonly sent: number }
    | undefined
  private unexpected: UnexpectedReply | undefined = undefined
  /** Number of probes sent (`signsSent`), number of replies to probes (`signsReceived`), and the kinds of these replies (`signs`). */
  private signsSent = 0
  private signsReceived = 0
  private readonly signs = new Set<Sign>()

  /**
   * `clientChallenge` is the client's number: a 32-bit number that should be unpredictable. `form` is the only form to try (default: all
   * forms).
   */
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

  expectLateReplies(outstanding: number): void {
    this.retry.expectLateReplies(outstanding)
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
      this.packet = PROBES[this.signsSent++]!.packet
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
          ? this.finish(Result.fail(this.noReplyError()))
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
      // A datagram that is not a connectionless message is counted, and has no other effect.
      case -1:
        return Step.Wait
      case MessageType.S2C_CHALLENGE:
        if (this.given === undefined && this.signsSent > 0 && readChallenge(datagram, type) !== undefined) break
        return this.readChallenge(datagram, now)
      case MessageType.A2C_PRINT:
      case MessageType.S2C_CONNREJECT:
        if (isGoldSourceLog(datagram)) break
        return this.receiveRefusal(datagram, now)
    }
    const sign = findSign(datagram)
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
    if (datagram.length <= CHALLENGE_BYTES || readChallenge(datagram) !== undefined) {
      return this.take(ChallengeReply.decode(datagram), now, (reply) => this.receivePlain(reply, now))
    }
    if (beginsWith(datagram, GOLDSOURCE_REPLY)) {
      return this.take(GoldSourceHandshakeChallenge.decode(datagram), now, (reply) =>
        this.succeed(reply, this.measured(now, GOLDSOURCE_OPENING), { form: "goldsource", ...steamFields(reply) })
      )
    }
    return this.take(CsgoHandshakeChallenge.decode(datagram), now, (reply) => this.receiveCsgo(reply, now))
  }

  /** Passes a challenge of any form to `receive`. If the challenge is malformed, the exchange sends the request once more, or fails. */
  private take<A>(decoded: Result.Result<A, DecodeError>, now: number, receive: (reply: A) => Step): Step {
    if (Result.isSuccess(decoded)) return receive(decoded.success)
    this.retry.measure(now, this.requestKind)
    return this.retry.onDamaged(decoded.failure) ? this.send(now) : this.finish(Result.fail(decoded.failure))
  }

  private receiveSource(reply: HandshakeChallenge, now: number): Step {
    const clientChallenge = this.numberFor("source")
    if (reply.clientChallenge === clientChallenge) {
      // Requests contain the client's number before the first challenge, and the last challenge after it. Therefore the number in the reply
      // shows the kind of the request.
      const rtt = this.measured(now, this.given === undefined ? RequestKind.Opening : RequestKind.Challenged)
      return this.succeed(reply, rtt, { form: "source", clientChallenge, ...steamFields(reply) })
    }
    if (reply.clientChallenge === MISREAD_NUMBER && this.sentCsgo && this.forms[this.forms.length - 1] !== "source") {
      this.retry.measure(now, CSGO_OPENING)
      return this.useForm("source", now)
    }
    this.unexpected = anotherNumber(MessageType.S2C_CHALLENGE)
    return Step.Wait
  }

  private receiveCsgo(reply: CsgoHandshakeChallenge, now: number): Step {
    const number = parseContext(reply.context)
    if (number !== undefined && this.sentCsgo && (number === 0 || number === this.given)) {
      const rtt = this.measured(now, number === this.given ? RequestKind.Challenged : CSGO_OPENING)
      return this.succeedCsgo(reply, number, rtt)
    }
    const isRetry = reply.context === "connect-retry"
    if (this.sentCsgo && !isRetry && number === undefined) {
      return this.succeedCsgo(reply, this.numberFor("csgo"), this.measured(now, this.requestKind | CSGO_OPENING))
    }
    // A duplicate of the last challenge is ignored. If the challenge is not a duplicate, the server requires a request with this challenge,
    // or has replied to a request in another form. In both cases, the next request contains this challenge.
    if (reply.challenge === this.given && this.sentCsgo && (this.retry.isTooSoon(now) || !isRetry)) return Step.Wait
    this.retry.measure(now, this.given === undefined ? RequestKind.Opening | CSGO_OPENING : RequestKind.Challenged)
    return this.follow(reply.challenge) ?? this.useForm("csgo", now)
  }

  private receivePlain(reply: ChallengeReply, now: number): Step {
    const sentNumber = this.given ?? this.own
    if (reply.challenge === sentNumber) {
      // In two cases, the challenge may be the reply to an earlier request instead of the last request: an opening request (in any form)
      // still has no reply, or the challenge arrived too soon after the last request. If the challenge arrived too soon, and arrives again
      // after the next transmission, it counts as the reply to the last request.
      const isReplyMissing = this.retry.isOutstanding(RequestKind.Opening) || this.retry.isOutstanding(CSGO_OPENING)
      const mayBeRepeated = this.insisted === undefined || this.insisted.sent === this.retry.sent
      if (!isReplyMissing && !(this.retry.isTooSoon(now) && mayBeRepeated)) {
        return this.succeed(reply, this.measured(now, RequestKind.Challenged), { clientChallenge: sentNumber })
      }
      const guess = { rttMs: now - this.retry.sentAt, rttAmbiguous: true } as const
      this.insisted = {
        reply,
        rtt: isReplyMissing ? this.measured(now, RequestKind.Opening | CSGO_OPENING) : guess,
        sent: this.retry.sent
      }
      return Step.Wait
    }
    this.retry.measure(now, this.given === undefined ? RequestKind.Opening | CSGO_OPENING : RequestKind.Challenged)
    // A server that sends a plain challenge accepts requests in Source 2013's form, even if its own replies have another form.
    const form = this.forms.length === 1 && this.forms[0] === "csgo" ? "csgo" : "source"
    return this.follow(reply.challenge) ?? this.useForm(form, now)
  }

  private receiveRefusal(datagram: Uint8Array, now: number): Step {
    const { encoding } = this.settings
    if (messageType(datagram) !== MessageType.S2C_CONNREJECT) {
      return this.finish(Result.fail(failures.refused(datagram, encoding)))
    }
    const stripped = withoutNumber(datagram, this.numberFor("source"))
    const reply = Result.getOrUndefined(ConnectionRejected.decode(stripped ?? datagram, { encoding }))
    if (stripped === undefined && reply?.clientChallenge !== undefined && reply.clientChallenge !== MISREAD_NUMBER) {
      this.unexpected = anotherNumber(MessageType.S2C_CONNREJECT)
      return Step.Wait
    }
    const redirect = REDIRECT.exec(reply?.text ?? "")?.[1]
    return reply === undefined || redirect === undefined
      ? this.finish(Result.fail(failures.refused(stripped ?? datagram, encoding)))
      : this.succeed(reply, this.measured(now, this.requestKind), { redirect })
  }

  /** Stores a challenge of the server for the next request. If the server has sent too many challenges, the exchange fails. */
  private follow(challenge: number): Step | undefined {
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) {
      return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
    }
    // The server has sent a new challenge, so an earlier challenge that arrived twice is no longer relevant.
    this.insisted = undefined
    this.given = challenge
    return undefined
  }

  /** Switches to the server's form, and sends a request in this form. From then on, the exchange tries no other form. */
  private useForm(form: HandshakeForm, now: number): Step {
    this.forms = [form]
    this.current = this.untried = 0
    return this.send(now)
  }

  private send(now: number): Step {
    this.packet = this.request()
    if (this.forms[this.current] === "csgo") this.sentCsgo = true
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
    return buildRequest(form, this.numberFor(form))
  }

  private numberFor(form: HandshakeForm): number {
    return this.given ?? (form === "csgo" ? 0 : this.own)
  }

  /** The kind of the current request. */
  private get requestKind(): number {
    if (this.forms[this.current] === "goldsource") return GOLDSOURCE_OPENING
    if (this.given !== undefined) return RequestKind.Challenged
    return this.forms[this.current] === "csgo" ? CSGO_OPENING : RequestKind.Opening
  }

  /** When to send the next probe. Probes are sent only while there is no reply to the handshake and no reply to A2S_INFO. */
  private get signDueAt(): number {
    const { retries, timeoutMs } = this.settings
    const isSilent = this.received === this.signsReceived && !this.signs.has("A2S_INFO")
    const next =
      isSilent && this.result === undefined && retries >= DEFAULT_RETRIES ? PROBES[this.signsSent] : undefined
    return next === undefined ? Number.POSITIVE_INFINITY : this.retry.startedAt + next.at * timeoutMs
  }

  private measured(now: number, kinds: number): MeasuredRoundTrip {
    this.retry.measure(now, kinds)
    return this.retry.rtt!
  }

  private succeedCsgo(reply: CsgoHandshakeChallenge, clientChallenge: number, rtt: MeasuredRoundTrip): Step {
    const { lobbyType, passwordRequired } = reply
    return this.succeed(reply, rtt, {
      form: "csgo",
      clientChallenge,
      lobbyType,
      passwordRequired,
      ...steamFields(reply)
    })
  }

  private succeed(
    reply: HandshakeReply,
    rtt: MeasuredRoundTrip,
    facts: Omit<HandshakeAnswer, "reply" | "sent" | "received" | keyof MeasuredRoundTrip>
  ): Step {
    return this.finish(Result.succeed({ reply, ...facts, ...rtt, sent: this.retry.sent, received: this.received }))
  }

  private noReplyError(): QueryError {
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
        signs.size > 0 && this.rounds === 0 ? formatHint(signs) : false
      )
    )
  }
}

const anotherNumber = (type: number): UnexpectedReply =>
  new UnexpectedReply({
    message:
      "The handshake's reply does not contain the challenge of the request. The reply is for another client, or spoofed.",
    type
  })

/**
 * Removes the client's number from a rejection. The number is before the reason of the rejection. Returns `undefined` if the datagram does
 * not contain this number.
 */
const withoutNumber = (datagram: Uint8Array, number: number): Uint8Array | undefined => {
  const at = HEADER_BYTES + 1
  if (datagram.length < CHALLENGE_BYTES) return undefined
  const found = datagram[at]! | (datagram[at + 1]! << 8) | (datagram[at + 2]! << 16) | (datagram[at + 3]! << 24)
  return found === number
    ? Uint8Array.from([...datagram.subarray(0, at), ...datagram.subarray(CHALLENGE_BYTES)])
    : undefined
}

/** Returns the reply's fields about authentication. The reply can have any of the three forms. */
const steamFields = ({
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
