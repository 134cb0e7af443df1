/**
 * One Source RCON connection as a pure state machine: segments, commands and `now` in; packets to send, events and the next
 * deadline out. It opens nothing, reads no clock, and outlives nothing: a new connection gets a new machine.
 *
 * It is no `Exchange`, which is one request to one server and sends one datagram per step. Here up to {@link PIPELINE_WINDOW}
 * commands share one stream of bytes: a segment may end several of them, a step may send several packets, and what one reply shows
 * (whether the server mirrors) decides how the next command is sent. Nothing is sent again, since TCP does that, and the connection
 * outlives its commands. So neither the engine's routes by address nor its retransmissions apply.
 *
 * **Authentication.** Valve's servers answer the password with an empty reply (type 0) and a verdict, others with the verdict alone,
 * in one segment or several, in either order. Only the verdict counts. Id −1 refuses the password. Any other id accepts it, with
 * type 2 or 3: gorcon's test server sends id 0, and npm's `rcon-server` sends type 3. The same server refuses with type −1 and the
 * id of the request.
 *
 * **Where a reply ends.** No packet says that it is the last. Each command has ids of its own, so replies never mix; the end is
 * found by one of three {@link Terminator} strategies. In `auto` the first command goes out alone, and an empty packet follows
 * its first part. What comes back decides:
 *
 * | comes back | what it means | from then on |
 * |---|---|---|
 * | an empty packet with our id | a mirror, as Valve's servers have | `pipelined`: command and mirror packet together, {@link PIPELINE_WINDOW} commands under way |
 * | a text with our id | an answer of its own ("Unknown request 0") | `sequential`: mirror packet after the first part, one command at a time |
 * | nothing within {@link VERDICT_MS} | no mirror | `quiet`: one command at a time, ended by the quiet rule |
 *
 * One command at a time is what servers need that read one packet per segment; those that mirror are known to read on. A mirror
 * that overtakes its reply keeps the command open for a quiet period, so that a late reply is not taken for an empty one.
 */
import { AUTH, AUTH_RESPONSE, EXEC_COMMAND, Limits, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { type QueryError, AuthenticationFailed } from "../engine/QueryError.ts"
import type { ResolvedOptions, Terminator } from "./options.ts"
import type { QuietRule } from "./quietRule.ts"
import { maskHex } from "./secretMask.ts"
import type { TimeLimits } from "./deadline.ts"
import {
  closedBeforeVerdict,
  connectionLost,
  fellSilent,
  givenUp,
  hungUp,
  noVerdict,
  tookTooLong,
  tooLong
} from "./errors.ts"

/** Commands under way at once on a server that is known to mirror; the rest wait here, not in the server's buffers. */
export const PIPELINE_WINDOW = 16

/** How long, after a part of the very first reply, the mirror may take before the server is taken to have none. */
export const VERDICT_MS = 750

/** Valve's servers cut replies at about this many bytes; a part from here on suggests another one. */
const NEARLY_FULL_BYTES = 3900

/** What each packet counts besides its body towards the reply's cap, so that empty ones are not free. */
const PACKET_COST_BYTES = 16

/** What happened. Tickets are the numbers that {@link SourceMachine.submit} gave. */
export type SourceEvent =
  | { readonly kind: "ready" }
  | { readonly kind: "part"; readonly ticket: number; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly ticket: number; readonly error?: QueryError }
  /** The connection is of no further use. Every command under way has had its `ended` before this. */
  | { readonly kind: "broken"; readonly error: QueryError }

interface Pending {
  readonly ticket: number
  readonly limits: TimeLimits
  readonly sentAt: number
  mirrorId: number | undefined
  mirrored: boolean
  bytes: number
  parts: number
  /** When the reply counts as over unless more comes. */
  quietAt: number
  /** When the mirror packet goes out although no part came. */
  promptAt: number
}

type Mode = "unknown" | "pipelined" | "sequential" | "quiet"

const EMPTY = new Uint8Array(0)
const AUTH_ID = 1
/** The id of a verdict that refuses the password; one server sends it as the type instead. */
const REFUSED = -1
const LAST_ID = 0x7fff_ffff

/** One connection. `events` and `packets` collect until the owner takes them. */
export class SourceMachine {
  private readonly framer = new SourceRconFramer()
  private readonly quiet: QuietRule
  private readonly terminator: Terminator
  readonly #password: Uint8Array
  /** Longest silence while a verdict is awaited. */
  private readonly timeoutMs: number
  private readonly pending = new Map<number, Pending>()
  /** Mirror ids to the command that each ends; an entry outlives its command while the verdict on the server is open. */
  private readonly mirrors = new Map<number, number>()
  private readonly events: Array<SourceEvent> = []
  private readonly packets: Array<SourceRconPacket> = []
  private state: "authenticating" | "ready" | "broken" = "authenticating"
  private mode: Mode
  private nextId = AUTH_ID + 1
  private authSentAt: number
  private lastHeardAt: number
  private heard = false
  private silentTimeouts = 0
  private silentSince = Number.NEGATIVE_INFINITY

  /**
   * What anybody waits for. Else it is the second mirror packet of Valve's servers (00 01 00 00), a reply that comes too late, or a
   * broadcast of the console.
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
    this.lastHeardAt = now
    this.packets.push({ id: AUTH_ID, type: AUTH, body: options.password })
  }

  /** How many more commands may be submitted now. */
  get room(): number {
    if (this.state !== "ready") return 0
    return (this.mode === "pipelined" ? PIPELINE_WINDOW : 1) - this.pending.size
  }

  /** When {@link expire} wants to be called; `Infinity` when nothing is awaited. */
  get deadline(): number {
    let deadline = this.lastMoment()
    if (this.state !== "ready") return deadline
    for (const pending of this.pending.values()) {
      deadline = Math.min(deadline, pending.quietAt, pending.promptAt, this.silentUntil(pending))
    }
    return deadline
  }

  /** What happened since the last call. */
  takeEvents(): ReadonlyArray<SourceEvent> {
    return this.events.splice(0)
  }

  /** What is to be sent, in order; may go in one segment. */
  takePackets(): ReadonlyArray<SourceRconPacket> {
    return this.packets.splice(0)
  }

  /** Sends a command. Only while there is {@link room}. */
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
    // A server may send nothing at all for a command without output; its mirror then shows that the reply was empty.
    else if (this.mode !== "quiet") pending.promptAt = now + this.verdictMs()
    return ticket
  }

  /** Forgets a command: whatever still comes for it is dropped. */
  cancel(ticket: number): void {
    const pending = this.pending.get(ticket)
    if (pending === undefined) return
    this.pending.delete(ticket)
    if (pending.mirrorId !== undefined) this.mirrors.delete(pending.mirrorId)
  }

  /** A segment arrived. */
  receive(segment: Uint8Array, now: number): void {
    if (this.state === "broken") return
    this.heard = true
    this.silentTimeouts = 0
    for (const packet of this.framer.push(segment, this.isWanted)) {
      if (this.state === "authenticating") this.verdict(packet, now)
      else if (this.state === "ready") this.reply(packet, now)
    }
    // A long packet on a slow line is no silence. Whole ones count where they belong to a command: consoles chatter.
    if (this.framer.pendingBytes > 0) this.lastHeardAt = now
    if (this.framer.failure !== undefined) this.break(maskHex(this.framer.failure, this.#password))
    // Nothing that comes puts these off, and data without a pause may keep a timer waiting.
    if (now >= this.lastMoment()) this.expire(now)
  }

  /** A deadline passed. */
  expire(now: number): void {
    if (this.state === "authenticating") {
      if (now >= this.lastMoment()) this.break(noVerdict(this.timeoutMs))
      return
    }
    // With half a packet here the rest is on its way, or the connection is lost; the reply is not over.
    const isCut = this.framer.pendingBytes > 0
    for (const pending of this.pending.values()) {
      if (now >= pending.quietAt && !isCut) this.quietPassed(pending)
      else if (now >= pending.sentAt + pending.limits.totalTimeoutMs)
        return this.giveUp(pending, tookTooLong(pending.limits.totalTimeoutMs, pending.parts))
      else if (now >= this.silentUntil(pending)) this.silence(pending, now)
      else if (now >= pending.promptAt) this.sendMirror(pending)
      else if (now >= pending.quietAt) pending.quietAt = now + this.quiet.quietMs(false)
    }
  }

  /**
   * The connection ended. Commands under way end with `ConnectionClosed`, whatever they had received. An end without a single byte
   * before the password's verdict is `Refused`: that is all a banned address gets.
   */
  disconnected(reason: string): void {
    const withoutVerdict = this.heard ? closedBeforeVerdict : hungUp
    this.break((this.state === "ready" ? connectionLost : withoutVerdict)(reason))
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
    this.lastHeardAt = now
    if (pending.parts++ === 0) this.quiet.sample(now - pending.sentAt)
    pending.promptAt = Number.POSITIVE_INFINITY
    pending.bytes += body.length + PACKET_COST_BYTES
    if (pending.bytes > Limits.MAX_RCON_REPLY_BYTES) return this.giveUp(pending, tooLong())
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
    this.lastHeardAt = now
    this.mirrors.delete(packet.id)
    const isMirror = packet.body.length === 0
    if (this.terminator === "auto") {
      // One that came after its command was given up is a mirror too slow to rely on for more than one command at a time.
      this.mode = isMirror && this.mode !== "quiet" ? "pipelined" : "sequential"
    }
    const pending = this.pending.get(ticket)
    if (pending === undefined) return undefined
    if (pending.parts > 0) return this.end(pending)
    pending.mirrored = true
    pending.quietAt = now + this.quiet.quietMs(false)
    return undefined
  }

  private quietPassed(pending: Pending): void {
    if (this.mode === "unknown") this.mode = "quiet"
    const mirrorId = pending.mirrorId
    this.end(pending)
    // A mirror that is only late corrects the verdict; see {@link mirrored}.
    if (this.terminator === "auto" && this.mode === "quiet" && mirrorId !== undefined) {
      this.mirrors.clear()
      this.mirrors.set(mirrorId, pending.ticket)
    }
  }

  private silence(pending: Pending, now: number): void {
    if (this.terminator === "auto" && this.mode === "pipelined") this.mode = "unknown"
    // Counted once per round: of commands that ran out together, the later ones prove nothing more.
    if (pending.sentAt >= this.silentSince) {
      this.silentTimeouts += 1
      this.silentSince = now
    }
    this.end(pending, fellSilent(pending.limits.timeoutMs, pending.parts))
    // Twice nothing at all: a connection that only this side still believes in.
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

  /** A reply to any command shows that the server works its way towards this one, too. */
  private silentUntil(pending: Pending): number {
    return Math.max(pending.sentAt, this.lastHeardAt) + pending.limits.timeoutMs
  }

  /** The end of the log-in's time, or of a command's: whatever the server sends does not put it off. */
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

  /** Ends a command whose reply does not, and with it the connection: a server that knows no end would keep this side reading. */
  private giveUp(pending: Pending, error: QueryError): void {
    this.end(pending, error)
    this.break(givenUp())
  }

  private break(error: QueryError): void {
    // A refused password and a broken stream may come in one segment.
    if (this.state === "broken") return
    for (const pending of this.pending.values()) this.end(pending, error)
    this.state = "broken"
    this.events.push({ kind: "broken", error })
  }
}
