/**
 * The server side of one Source RCON connection, as a pure state machine: segments in, packets out, one command at a time.
 *
 * Like Valve's servers, it replies strictly in the order of arrival, sends the verdict on a password after an empty reply, splits replies
 * at a fixed size, and mirrors an empty reply packet, followed by a second one with the body 00 01 00 00.
 */
import { AUTH, AUTH_RESPONSE, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { passwordMatches } from "./password.ts"

/** Details in which servers differ. */
export interface SourceManners {
  /** Where replies are split (default: 4086 bytes, which are 4096 with id, type and NULs, as on Valve's servers). */
  readonly maxBodyBytes?: number
  /**
   * The reply to an empty reply packet of a client: its mirror and the packet 00 01 00 00 (`source`, the default), a text (`text`), or
   * nothing (`none`).
   */
  readonly mirror?: "none" | "source" | "text"
  /** The reply to a password: an empty reply and the verdict (`reply-and-verdict`, the default), or only the `verdict`. */
  readonly login?: "reply-and-verdict" | "verdict"
  /** Which packets of a segment are read: `all` (default), or the `first`, as by Nukkit, which treats a read as a packet. */
  readonly reads?: "all" | "first-of-segment"
  /** How much of a split reply is sent: the `whole` (default), or the first part only, as by Glowstone, which loses the rest. */
  readonly replies?: "first-part" | "whole"
}

/** Actions of a connection for its owner. */
export type SourceConnectionEvent =
  | { readonly kind: "command"; readonly command: Uint8Array }
  /** Nothing more is read until {@link SourceConnection.goOn}, because a segment may contain hundreds of passwords. */
  | { readonly kind: "login-failed" }
  | { readonly kind: "logged-in" }
  /** The input cannot be decoded any more: close. */
  | { readonly kind: "broken" }

/** Largest request. Valve's servers accept 4096 bytes; some games' commands are longer. */
const MAX_REQUEST_BYTES = 16 * 1024

/** Requests that wait behind a running command before the owner should stop reading. */
const MAX_WAITING = 64

const EMPTY = new Uint8Array(0)
const AFTER_MIRROR = Uint8Array.of(0, 1, 0, 0)

/** One connection: requests of the client, and replies. */
export class SourceConnection {
  private readonly framer = new SourceRconFramer({ maxPacketBytes: MAX_REQUEST_BYTES })
  readonly #password: Uint8Array
  private readonly manners: Required<SourceManners>
  private readonly waiting: Array<SourceRconPacket> = []
  private readonly events: Array<SourceConnectionEvent> = []
  private readonly packets: Array<SourceRconPacket> = []
  private running: number | undefined
  private held = false
  /** Whether the correct password was sent. */
  loggedIn = false

  constructor(password: Uint8Array, manners: SourceManners = {}) {
    const { login = "reply-and-verdict", maxBodyBytes = 4086, mirror = "source" } = manners
    const { reads = "all", replies = "whole" } = manners
    this.#password = password
    this.manners = { login, maxBodyBytes, mirror, reads, replies }
  }

  /** Whether so many requests wait that the owner should stop reading for now. */
  get full(): boolean {
    return this.waiting.length >= MAX_WAITING
  }

  /** What happened since the last call. */
  takeEvents(): ReadonlyArray<SourceConnectionEvent> {
    return this.events.splice(0)
  }

  /** Bytes to send, in order. */
  takePackets(): ReadonlyArray<SourceRconPacket> {
    return this.packets.splice(0)
  }

  /** A segment arrived. */
  receive(segment: Uint8Array): void {
    const packets = this.framer.push(segment)
    this.waiting.push(...(this.manners.reads === "first-of-segment" ? packets.slice(0, 1) : packets))
    this.work()
    if (this.framer.failure !== undefined) this.events.push({ kind: "broken" })
  }

  /** The last command that was passed on is finished. */
  reply(text: Uint8Array): void {
    const id = this.running
    if (id === undefined) return
    this.running = undefined
    // At least one packet, so that a command without output has a reply, too.
    const { maxBodyBytes, replies } = this.manners
    const end = replies === "first-part" ? maxBodyBytes : text.length
    for (let at = 0; at === 0 || at < Math.min(end, text.length); at += maxBodyBytes) {
      this.packets.push({ id, type: RESPONSE_VALUE, body: text.subarray(at, at + maxBodyBytes) })
    }
    this.work()
  }

  /** After a failed login: the sender may try again. */
  goOn(): void {
    this.held = false
    this.work()
  }

  private work(): void {
    while (this.running === undefined && !this.held && this.waiting.length > 0) this.take(this.waiting.shift()!)
  }

  private take({ id, type, body }: SourceRconPacket): void {
    if (type === AUTH) return this.judge(id, body)
    if (!this.loggedIn) {
      this.packets.push({ id: -1, type: AUTH_RESPONSE, body: EMPTY })
    } else if (type === EXEC_COMMAND) {
      this.running = id
      this.events.push({ kind: "command", command: body })
    } else if (type === RESPONSE_VALUE && this.manners.mirror === "source") {
      this.packets.push({ id, type: RESPONSE_VALUE, body }, { id, type: RESPONSE_VALUE, body: AFTER_MIRROR })
    } else if (this.manners.mirror === "text") {
      this.packets.push({ id, type: RESPONSE_VALUE, body: new TextEncoder().encode(`Unknown request ${type}`) })
    }
    return undefined
  }

  private judge(id: number, password: Uint8Array): void {
    const right = passwordMatches(password, this.#password)
    if (this.manners.login === "reply-and-verdict") this.packets.push({ id, type: RESPONSE_VALUE, body: EMPTY })
    this.packets.push({ id: right ? id : -1, type: AUTH_RESPONSE, body: EMPTY })
    this.loggedIn = right
    this.held = !right
    this.events.push({ kind: right ? "logged-in" : "login-failed" })
  }
}
