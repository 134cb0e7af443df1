/**
 * One connection of Source RCON as a pure state machine. The inputs are segments, commands and the current time (`now`); the outputs are
 * packets to send, events and the next deadline. The machine opens no connection and reads no clock. The session creates a new machine for
 * each connection.
 *
 * The machine is not an `Exchange`. An exchange is one request to one server, and sends one datagram per step. On an RCON connection, up to
 * {@link PIPELINE_WINDOW} commands share one stream of bytes. One segment may contain the ends of several replies, and a step may send
 * several packets. The reply to one command can determine how the next commands are sent.
 *
 * The machine does not need the class `Engine`, which retransmits datagrams and finds the exchange of a reply by the sender's address. TCP
 * retransmits lost segments, and each connection belongs to one server.
 *
 * **Authentication.** Valve's servers reply to the password with an empty reply (type 0) and an authentication result. The two packets may
 * be in one segment or in several, in any order. Other servers send only the result. The machine evaluates only the result:
 *
 * - The id −1 refuses the password. npm's `rcon-server` refuses the password in another way: it sends type −1 and the id of the request.
 * - Any other id accepts the password, if the type is 2 or 3. For example, gorcon's test server sends id 0, and `rcon-server` sends type 3.
 *
 * **The end of a reply.** A reply can consist of several packets, and no field shows which packet is the last. Each packet contains the id
 * of its command, so the machine can assign the packet to this command. One of the {@link Terminator} strategies finds the end of a reply.
 * If the strategy is `auto`, the machine first sends a single command. After the first part of the reply, the machine sends an empty
 * packet, the mirror packet. The reply to the mirror packet determines the mode of the connection:
 *
 * | reply | meaning | mode from then on |
 * |---|---|---|
 * | an empty packet with our id | the server returns mirror packets, as Valve's servers do | `pipelined`: command and mirror packet together, {@link PIPELINE_WINDOW} commands in flight |
 * | a text with our id | the server replies to the mirror packet with a text, such as "Unknown request 0" | `sequential`: mirror packet after the first part, one command at a time |
 * | no packet within {@link VERDICT_MS} | the server does not return mirror packets | `quiet`: one command at a time; a quiet period ends the reply |
 *
 * Servers that return mirror packets read all packets of a segment. Some other servers read only one packet per segment, so the machine
 * sends one command at a time to these servers. If the mirror packet returns before any part of the reply, the command stays in flight for
 * a quiet period. Otherwise the machine would report an empty reply, although the reply is only late.
 */
import { AUTH, AUTH_RESPONSE, EXEC_COMMAND, Limits, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { type QueryError, AuthenticationFailed } from "../engine/QueryError.ts"
import type { ResolvedOptions, Terminator } from "./options.ts"
import type { QuietRule } from "./quietRule.ts"
import { maskHex } from "./secretMask.ts"
import type { TimeLimits } from "./deadline.ts"
import {
  closedDuringLogin,
  connectionLost,
  commandTimeout,
  closedByLimit,
  closedWithoutReply,
  passwordTimeout,
  totalTimeout,
  replyTooLong
} from "./errors.ts"

/**
 * Maximum number of commands in flight on a server that returns mirror packets. All other commands wait in the session, and not in the
 * server's buffers.
 */
export const PIPELINE_WINDOW = 16

/**
 * Minimum time, in ms, that the machine waits for the server to return the first mirror packet. The wait starts again after each part of
 * the reply. It lasts at least three times the round-trip time. If the wait ends without a mirror packet, the machine assumes that the
 * server does not return mirror packets. The machine also waits this long for the first part of the reply, before it sends the mirror
 * packet without this part.
 */
export const VERDICT_MS = 750

/** Valve's servers split replies at about this many bytes. After a part of this size, another part probably follows. */
const NEARLY_FULL_BYTES = 3900

/**
 * Number of bytes that each packet adds to the counted length of the reply, in addition to its text. Without this addition, a server could
 * send empty packets without limit.
 */
const PACKET_COST_BYTES = 16

/** An event of the connection. `ticket` is the number that {@link SourceMachine.submit} returned for the command. */
export type SourceEvent =
  | { readonly kind: "ready" }
  | { readonly kind: "part"; readonly ticket: number; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly ticket: number; readonly error?: QueryError }
  /** The connection is unusable. Before this event, there is an `ended` event for every command in flight. */
  | { readonly kind: "broken"; readonly error: QueryError }

interface Pending {
  readonly ticket: number
  readonly limits: TimeLimits
  readonly sentAt: number
  mirrorId: number | undefined
  mirrored: boolean
  bytes: number
  parts: number
  /** The time at which the reply counts as complete if no further part arrives before this time. */
  quietAt: number
  /** The time at which the mirror packet is sent if no part of the reply arrives before this time. */
  promptAt: number
}

type Mode = "unknown" | "pipelined" | "sequential" | "quiet"

const EMPTY = new Uint8Array(0)
const AUTH_ID = 1
/** The id of a result that refuses the password. npm's `rcon-server` sends this value as the type of the result, and not as the id. */
const REFUSED = -1
const LAST_ID = 0x7fff_ffff

/** The state of one connection. The machine collects events and packets until the session calls `takeEvents` and `takePackets`. */
export class SourceMachine {
  private readonly framer = new SourceRconFramer()
  private readonly quiet: QuietRule
  private readonly terminator: Terminator
  readonly #password: Uint8Array
  /** Maximum time without a reply to the password, in ms. */
  private readonly timeoutMs: number
  private readonly pending = new Map<number, Pending>()
  /**
   * Maps the id of each mirror packet to the ticket of its command. If a quiet period has ended a command, the mirror packet of this
   * command stays in the map, because this packet may return later.
   */
  private readonly mirrors = new Map<number, number>()
  private readonly events: Array<SourceEvent> = []
  private readonly packets: Array<SourceRconPacket> = []
  private state: "authenticating" | "ready" | "broken" = "authenticating"
  private mode: Mode
  private nextId = AUTH_ID + 1
  private authSentAt: number
  private lastReceivedAt: number
  private hasReceived = false
  private silentTimeouts = 0
  private silentSince = Number.NEGATIVE_INFINITY

  /**
   * Whether a packet is expected. Unexpected packets are, for example, the second mirror packet of Valve's servers (00 01 00 00), late
   * replies, and broadcasts of the console.
   */
  private readonly isWanted = (id: number, type: number): boolean =>
    this.state === "authenticating"
      ? id === REFUSED || type !== RESPONSE_VALUE
      : this.pending.has(id) || this.mirrors.has(id) || (id === REFUSED && type === AUTH_RESPONSE)

  constructor(
    options: Pick<ResolvedOptions, "password" | "terminator" | "timeoutMs"> & { readonly quiet: QuietRule },
    now: number
  ) {
    this.quiet = options.quiet
    this.terminator = options.terminator
    this.#password = options.password
    this.timeoutMs = options.timeoutMs
    this.mode = options.terminator === "auto" ? "unknown" : options.terminator === "quiet" ? "quiet" : "pipelined"
    this.authSentAt = now
    this.lastReceivedAt = now
    this.packets.push({ id: AUTH_ID, type: AUTH, body: options.password })
  }

  /** Number of commands that can be submitted now. */
  get room(): number {
    if (this.state !== "ready") return 0
    return (this.mode === "pipelined" ? PIPELINE_WINDOW : 1) - this.pending.size
  }

  /** The time for the next call of {@link expire}; `Infinity` if no call is needed. */
  get deadline(): number {
    let deadline = this.lastMoment()
    if (this.state !== "ready") return deadline
    for (const pending of this.pending.values()) {
      deadline = Math.min(deadline, pending.quietAt, pending.promptAt, this.silentUntil(pending))
    }
    return deadline
  }

  /** Returns the events since the last call of this method. */
  takeEvents(): ReadonlyArray<SourceEvent> {
    return this.events.splice(0)
  }

  /** Returns the packets to send, in order. The caller may send several packets in one segment. */
  takePackets(): ReadonlyArray<SourceRconPacket> {
    return this.packets.splice(0)
  }

  /** Sends a command, and returns its ticket. Must be called only if {@link room} is above 0. */
  submit(command: Uint8Array, limits: TimeLimits, now: number): number {
    const ticket = this.newId()
    const pending: Pending = {
      ticket,
      limits,
      sentAt: now,
      mirrorId: undefined,
      mirrored: false,
      bytes: 0,
      parts: 0,
      quietAt: Number.POSITIVE_INFINITY,
      promptAt: Number.POSITIVE_INFINITY
    }
    this.pending.set(ticket, pending)
    this.packets.push({ id: ticket, type: EXEC_COMMAND, body: command })
    if (this.mode === "pipelined") this.sendMirror(pending)
    // A server may send no reply to a command without output. In this case, the returned mirror packet shows that the reply is empty.
    else if (this.mode !== "quiet") pending.promptAt = now + this.verdictMs()
    return ticket
  }

  /** Cancels a command. Further packets for this command are dropped. */
  cancel(ticket: number): void {
    const pending = this.pending.get(ticket)
    if (pending === undefined) return
    this.pending.delete(ticket)
    if (pending.mirrorId !== undefined) this.mirrors.delete(pending.mirrorId)
  }

  receive(segment: Uint8Array, now: number): void {
    if (this.state === "broken") return
    this.hasReceived = true
    this.silentTimeouts = 0
    for (const packet of this.framer.push(segment, this.isWanted)) {
      if (this.state === "authenticating") this.verdict(packet, now)
      else if (this.state === "ready") this.reply(packet, now)
    }
    // An incomplete packet shows that the server responds, for example if a long packet arrives over a slow connection. A complete packet
    // shows that the server responds only if the packet belongs to a command: consoles also send broadcasts, which are not replies.
    if (this.framer.pendingBytes > 0) this.lastReceivedAt = now
    if (this.framer.failure !== undefined) this.break(maskHex(this.framer.failure, this.#password))
    // No packet extends the time limit of the log-in or the total time limits of commands. These limits are also checked here, because the
    // timer may not fire while data arrives without a pause.
    if (now >= this.lastMoment()) this.expire(now)
  }

  /** Called when the deadline has passed. */
  expire(now: number): void {
    if (this.state === "authenticating") {
      if (now >= this.lastMoment()) this.break(passwordTimeout(this.timeoutMs))
      return
    }
    // If the last packet is incomplete, the server is still sending this packet, or the connection is lost. In both cases, the reply is not
    // complete.
    const isCut = this.framer.pendingBytes > 0
    for (const pending of this.pending.values()) {
      if (now >= pending.quietAt && !isCut) this.onQuietPeriodOver(pending)
      else if (now >= pending.sentAt + pending.limits.totalTimeoutMs)
        return this.giveUp(pending, totalTimeout(pending.limits.totalTimeoutMs, pending.parts))
      else if (now >= this.silentUntil(pending)) this.silence(pending, now)
      else if (now >= pending.promptAt) this.sendMirror(pending)
      else if (now >= pending.quietAt) pending.quietAt = now + this.quiet.quietMs(false)
    }
  }

  /**
   * Called when the connection was closed. Commands in flight end with `ConnectionClosed`, even if a part of their reply has arrived. If
   * the server closed the connection before it sent a byte, the log-in fails with `Refused`, because servers do this to banned addresses.
   */
  disconnected(reason: string): void {
    const loginError = this.hasReceived ? closedDuringLogin : closedWithoutReply
    this.break((this.state === "ready" ? connectionLost : loginError)(reason))
  }

  private newId(): number {
    const id = this.nextId
    this.nextId = id === LAST_ID ? AUTH_ID + 1 : id + 1
    return id
  }

  private verdict(packet: SourceRconPacket, now: number): void {
    if (packet.id === REFUSED || packet.type === REFUSED) {
      this.break(new AuthenticationFailed({ message: "The server refused the RCON password." }))
    } else if (packet.type === AUTH_RESPONSE || packet.type === AUTH) {
      this.state = "ready"
      this.quiet.sample(now - this.authSentAt)
      this.events.push({ kind: "ready" })
    }
  }

  private reply(packet: SourceRconPacket, now: number): void {
    const pending = this.pending.get(packet.id)
    if (pending !== undefined) return this.part(pending, packet.body, now)
    const ticket = this.mirrors.get(packet.id)
    if (ticket !== undefined) return this.mirrored(packet, ticket, now)
    if (packet.id === REFUSED && packet.type === AUTH_RESPONSE) {
      this.break(new AuthenticationFailed({ message: "The server accepted the RCON password, and refused it later." }))
    }
    return undefined
  }

  private part(pending: Pending, body: Uint8Array, now: number): void {
    this.lastReceivedAt = now
    if (pending.parts++ === 0) this.quiet.sample(now - pending.sentAt)
    pending.promptAt = Number.POSITIVE_INFINITY
    pending.bytes += body.length + PACKET_COST_BYTES
    if (pending.bytes > Limits.MAX_RCON_REPLY_BYTES) return this.giveUp(pending, replyTooLong())
    if (body.length > 0) this.events.push({ kind: "part", ticket: pending.ticket, bytes: body })
    if (this.mode === "quiet" || pending.mirrored) {
      pending.quietAt = now + this.quiet.quietMs(body.length >= NEARLY_FULL_BYTES)
      return undefined
    }
    if (pending.mirrorId === undefined) this.sendMirror(pending)
    if (this.mode === "unknown") pending.quietAt = now + this.verdictMs()
    return undefined
  }

  private mirrored(packet: SourceRconPacket, ticket: number, now: number): void {
    this.lastReceivedAt = now
    this.mirrors.delete(packet.id)
    const isMirror = packet.body.length === 0
    if (this.terminator === "auto") {
      // If a quiet period has already ended the command when the mirror packet returns, the server is slow. Therefore the machine sends
      // only one command at a time to this server.
      this.mode = isMirror && this.mode !== "quiet" ? "pipelined" : "sequential"
    }
    const pending = this.pending.get(ticket)
    if (pending === undefined) return undefined
    if (pending.parts > 0) return this.end(pending)
    pending.mirrored = true
    pending.quietAt = now + this.quiet.quietMs(false)
    return undefined
  }

  private onQuietPeriodOver(pending: Pending): void {
    if (this.mode === "unknown") this.mode = "quiet"
    const mirrorId = pending.mirrorId
    this.end(pending)
    // If the mirror packet of this command returns later, {@link mirrored} changes the mode from `quiet` to `sequential`.
    if (this.terminator === "auto" && this.mode === "quiet" && mirrorId !== undefined) {
      this.mirrors.clear()
      this.mirrors.set(mirrorId, pending.ticket)
    }
  }

  private silence(pending: Pending, now: number): void {
    if (this.terminator === "auto" && this.mode === "pipelined") this.mode = "unknown"
    // A timeout is counted only if its command was sent after the last counted timeout. Earlier commands waited during the same silence of
    // the server.
    if (pending.sentAt >= this.silentSince) {
      this.silentTimeouts += 1
      this.silentSince = now
    }
    this.end(pending, commandTimeout(pending.limits.timeoutMs, pending.parts))
    // If no data arrives between two counted timeouts, the machine treats the connection as lost.
    if (this.silentTimeouts > 1) this.disconnected("the server stopped responding")
  }

  private sendMirror(pending: Pending): void {
    pending.promptAt = Number.POSITIVE_INFINITY
    pending.mirrorId = this.newId()
    this.mirrors.set(pending.mirrorId, pending.ticket)
    const type = this.terminator === "mirror-command" ? EXEC_COMMAND : RESPONSE_VALUE
    this.packets.push({ id: pending.mirrorId, type, body: EMPTY })
  }

  private verdictMs(): number {
    return Math.max(VERDICT_MS, 3 * this.quiet.roundTripMs)
  }

  /**
   * Returns the time at which the wait for a reply to this command ends. A reply to any other command extends this wait, because such a
   * reply shows that the server processes commands.
   */
  private silentUntil(pending: Pending): number {
    return Math.max(pending.sentAt, this.lastReceivedAt) + pending.limits.timeoutMs
  }

  /**
   * Returns the time at which the time limit of the log-in ends. After the log-in, the result is the earliest time at which a command in
   * flight reaches its total time limit. No packet extends these limits.
   */
  private lastMoment(): number {
    if (this.state === "authenticating") return this.authSentAt + this.timeoutMs
    let last = Number.POSITIVE_INFINITY
    for (const { limits, sentAt } of this.pending.values()) last = Math.min(last, sentAt + limits.totalTimeoutMs)
    return last
  }

  private end(pending: Pending, error?: QueryError): void {
    this.cancel(pending.ticket)
    this.events.push({ kind: "ended", ticket: pending.ticket, ...(error === undefined ? {} : { error }) })
  }

  /**
   * Ends a command whose reply exceeds the limit for its length or its total time. Also closes the connection, because the server would
   * continue to send the reply.
   */
  private giveUp(pending: Pending, error: QueryError): void {
    this.end(pending, error)
    this.break(closedByLimit())
  }

  private break(error: QueryError): void {
    // If a segment contains both a refusal of the password and an invalid packet, `break` is called twice.
    if (this.state === "broken") return
    for (const pending of this.pending.values()) this.end(pending, error)
    this.state = "broken"
    this.events.push({ kind: "broken", error })
  }
}
