/**
 * What an onlooker may see of an RCON session: every packet, with the password masked where a packet carries text, not in what the
 * protocol itself says. A mask is always eight stars, whatever the password's length.
 */
import { decode, encode } from "@sourcewire/protocol"
import { AUTH, beginsWith, encodePacket, HEADER_BYTES, isSplit, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { concatBytes } from "@sourcewire/inside/bytes"
import { toLatin1 } from "./replyText.ts"
import { maskSecret, maskText, PASSWORD_MASK, SecretMask } from "./secretMask.ts"

/** One packet, as it passed. */
export interface RconTraceEvent {
  readonly direction: "received" | "sent"
  readonly transport: "tcp" | "udp"
  /**
   * A datagram, or over TCP a packet with its size field, however the segments cut it; the password masked. What is left of a
   * stream that ends within a packet, or is none of RCON's, is an event of its own.
   */
  readonly bytes: Uint8Array
  /** Milliseconds on the session's clock. */
  readonly timeMs: number
}

/** Is called for every packet of a session. What it throws is a defect of the calls under way, and it is not called again. */
export type RconTrace = (event: RconTraceEvent) => void

/** Who sees what, and what not. */
export interface TraceOptions {
  readonly trace: RconTrace
  readonly password: Uint8Array
  readonly now: () => number
}

/** What traces of both transports have. */
abstract class Trace {
  protected abstract readonly transport: RconTraceEvent["transport"]
  protected readonly options: TraceOptions
  /** Over all that is received, since packets, or fragments of one text, may each hold a part of the password. */
  protected readonly mask: SecretMask

  constructor(options: TraceOptions) {
    this.options = options
    this.mask = new SecretMask(options.password)
  }

  protected show(direction: RconTraceEvent["direction"], bytes: Uint8Array): void {
    this.options.trace({ direction, transport: this.transport, bytes, timeMs: this.options.now() })
  }
}

/** Shows one TCP connection. */
export class ConnectionTrace extends Trace {
  protected readonly transport = "tcp"
  private readonly framer = new SourceRconFramer()
  private isOver = false

  /** A packet goes out. */
  sent(packet: SourceRconPacket): void {
    const body = packet.type === AUTH ? PASSWORD_MASK : maskSecret(packet.body, this.options.password)
    this.show("sent", encodePacket({ ...packet, body }))
  }

  /** A segment came in. */
  received(segment: Uint8Array): void {
    for (const packet of this.framer.push(segment)) {
      this.show("received", encodePacket({ ...packet, body: this.mask.push(packet.body) }))
    }
    if (this.framer.failure !== undefined) this.ended()
  }

  /** Nothing more comes in, or nothing that could be read. */
  ended(): void {
    if (this.isOver) return
    this.isOver = true
    if (this.framer.pendingBytes > 0) this.show("received", this.mask.push(this.framer.pending))
  }
}

const FRAGMENT_HEADER_BYTES = 9
const CHALLENGE = "challenge rcon "
const PRINT = "print\n"

/** Where the text of a server's datagram begins; at its end where it has none. */
const textOffset = (datagram: Uint8Array): number => {
  if (isSplit(datagram)) return FRAGMENT_HEADER_BYTES
  if (beginsWith(datagram, CHALLENGE)) return datagram.length
  return HEADER_BYTES + (beginsWith(datagram, PRINT) ? PRINT.length : 1)
}

/** Shows what passes a UDP socket. */
export class DatagramTrace extends Trace {
  protected readonly transport = "udp"

  /** A datagram of ours goes out. */
  sent(datagram: Uint8Array): void {
    const message = decode(datagram, { encoding: "latin1" })
    if (Result.isFailure(message) || message.success._tag !== "RconRequest") return this.show("sent", datagram.slice())
    const command = maskText(message.success.command, toLatin1(this.options.password))
    const shown = encode({ ...message.success, password: toLatin1(PASSWORD_MASK), command }, { encoding: "latin1" })
    return this.show(
      "sent",
      Result.getOrElse(shown, () => PASSWORD_MASK)
    )
  }

  /** A datagram came in. */
  received(datagram: Uint8Array): void {
    const at = Math.min(textOffset(datagram), datagram.length)
    const text = this.mask.push(datagram.subarray(at))
    this.show("received", concatBytes([datagram.subarray(0, at), text]))
  }
}
