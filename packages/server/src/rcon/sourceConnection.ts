/**
 * The server side of one Source RCON connection, as a pure state machine: it receives segments, returns packets, and runs one command at a
 * time.
 *
 * By default, a connection behaves as on Valve's servers. It replies to requests in the order of their arrival. It sends an empty reply
 * before the result of a login. It splits replies at a fixed size. If the client sends an empty reply packet, the connection returns this
 * packet and then a second packet with the body 00 01 00 00.
 */
import { AUTH, AUTH_RESPONSE, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { passwordMatches } from "./password.ts"

/** Details of the protocol that servers of different games implement differently. */
export interface SourceBehaviour {
  /**
   * Maximum size of a packet's body, in bytes (default: 4086, so that a packet has 4096 bytes as on Valve's servers). A larger reply is
   * split into several packets.
   */
  readonly maxBodyBytes?: number
  /**
   * The server's reply if a client sends an empty reply packet (default: `source`): `source` is a copy of the empty packet and the packet
   * 00 01 00 00, `text` is the text `Unknown request 0`, and `none` is no reply.
   */
  readonly mirror?: "none" | "source" | "text"
  /**
   * The packets with which the server replies to a password: an empty reply and the result (default: `reply-and-verdict`), or only the
   * result (`verdict`).
   */
  readonly login?: "reply-and-verdict" | "verdict"
  /**
   * Which packets of a TCP segment the server reads (default: `all`). With `first-of-segment`, the server reads only the first packet of
   * each segment, as Nukkit does.
   */
  readonly reads?: "all" | "first-of-segment"
  /** How much of a split reply is sent (default: `whole`). Glowstone sends only the first part (`first-part`). */
  readonly replies?: "first-part" | "whole"
}

/** Events that the owner of the connection (the code that created it) must handle. */
export type SourceConnectionEvent =
  | { readonly kind: "command"; readonly command: Uint8Array }
  /**
   * The password was wrong. A segment can contain hundreds of passwords. Therefore the connection processes no further input until the
   * owner, which counts wrong passwords, calls {@link SourceConnection.resume}.
   */
  | { readonly kind: "login-failed" }
  | { readonly kind: "logged-in" }
  /** The input cannot be decoded any further: close the connection. */
  | { readonly kind: "broken" }

/** Maximum size of a request, in bytes. Valve's servers accept 4096 bytes, but some games have longer commands. */
const MAX_REQUEST_BYTES = 16 * 1024

/** If at least this number of requests is waiting, the owner should stop reading from the socket. */
const MAX_WAITING = 64

const EMPTY = new Uint8Array(0)
const AFTER_MIRROR = Uint8Array.of(0, 1, 0, 0)

/** One connection. It queues the client's requests, and creates the packets of the replies. */
export class SourceConnection {
  private readonly framer = new SourceRconFramer({ maxPacketBytes: MAX_REQUEST_BYTES })
  readonly #password: Uint8Array
  private readonly behaviour: Required<SourceBehaviour>
  private readonly waiting: Array<SourceRconPacket> = []
  private readonly events: Array<SourceConnectionEvent> = []
  private readonly packets: Array<SourceRconPacket> = []
  private running: number | undefined
  private held = false
  /** Whether the last password that the client sent was correct. */
  loggedIn = false

  constructor(password: Uint8Array, behaviour: SourceBehaviour = {}) {
    const { login = "reply-and-verdict", maxBodyBytes = 4086, mirror = "source" } = behaviour
    const { reads = "all", replies = "whole" } = behaviour
    this.#password = password
    this.behaviour = { login, maxBodyBytes, mirror, reads, replies }
  }

  /** Whether the owner should stop reading for now, because too many requests are waiting. */
  get full(): boolean {
    return this.waiting.length >= MAX_WAITING
  }

  /** Removes and returns the events that occurred since the last call. */
  takeEvents(): ReadonlyArray<SourceConnectionEvent> {
    return this.events.splice(0)
  }

  /** Removes and returns the packets to send, in order. */
  takePackets(): ReadonlyArray<SourceRconPacket> {
    return this.packets.splice(0)
  }

  receive(segment: Uint8Array): void {
    const packets = this.framer.push(segment)
    this.waiting.push(...(this.behaviour.reads === "first-of-segment" ? packets.slice(0, 1) : packets))
    this.work()
    if (this.framer.failure !== undefined) this.events.push({ kind: "broken" })
  }

  /** Adds the output of the current command to the packets to send. The command is then finished. */
  reply(text: Uint8Array): void {
    const id = this.running
    if (id === undefined) return
    this.running = undefined
    // Send at least one packet, because the client expects a reply even if the command has no output.
    const { maxBodyBytes, replies } = this.behaviour
    const end = replies === "first-part" ? maxBodyBytes : text.length
    for (let at = 0; at === 0 || at < Math.min(end, text.length); at += maxBodyBytes) {
      this.packets.push({ id, type: RESPONSE_VALUE, body: text.subarray(at, at + maxBodyBytes) })
    }
    this.work()
  }

  /** Continues to process input after a wrong password, so that the client can send another password. */
  resume(): void {
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
    } else if (type === RESPONSE_VALUE && this.behaviour.mirror === "source") {
      this.packets.push({ id, type: RESPONSE_VALUE, body }, { id, type: RESPONSE_VALUE, body: AFTER_MIRROR })
    } else if (this.behaviour.mirror === "text") {
      this.packets.push({ id, type: RESPONSE_VALUE, body: new TextEncoder().encode(`Unknown request ${type}`) })
    }
    return undefined
  }

  private judge(id: number, password: Uint8Array): void {
    const right = passwordMatches(password, this.#password)
    if (this.behaviour.login === "reply-and-verdict") this.packets.push({ id, type: RESPONSE_VALUE, body: EMPTY })
    this.packets.push({ id: right ? id : -1, type: AUTH_RESPONSE, body: EMPTY })
    this.loggedIn = right
    this.held = !right
    this.events.push({ kind: right ? "logged-in" : "login-failed" })
  }
}
