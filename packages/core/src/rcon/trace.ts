/**
 * Traces the packets of an RCON session. The password is masked in the texts of all packets. Fixed texts of the protocol are not masked,
 * even if they contain the password. The mask always has eight asterisks, so that it does not show the length of the password.
 */
import { decode, encode } from "@sourcewire/protocol"
import { AUTH, beginsWith, encodePacket, HEADER_BYTES, isSplit, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { concatBytes } from "@sourcewire/inside/bytes"
import { toLatin1 } from "./replyText.ts"
import { maskSecret, maskText, PASSWORD_MASK, SecretMask } from "./secretMask.ts"

/** A traced packet. */
export interface RconTraceEvent {
  readonly direction: "received" | "sent"
  readonly transport: "tcp" | "udp"
  /**
   * The bytes of a UDP datagram, or of one packet over TCP (including its size field). The password is masked. If a TCP stream ends within
   * a packet, or is not RCON, a separate event contains the remaining bytes.
   */
  readonly bytes: Uint8Array
  /** The time at which the packet was sent or received, in ms of the session's clock. */
  readonly timeMs: number
}

/**
 * Called for every packet of a session. If the function throws, the calls in flight end with the thrown error (in the Effect API, as a
 * defect), and the function is not called again.
 */
export type RconTrace = (event: RconTraceEvent) => void

/** The function that receives the packets, and the secret to mask. */
export interface TraceOptions {
  readonly trace: RconTrace
  readonly password: Uint8Array
  readonly now: () => number
}

/** The base class of the traces over TCP and UDP. */
abstract class Trace {
  protected abstract readonly transport: RconTraceEvent["transport"]
  protected readonly options: TraceOptions
  /** Masks all received data as one text, because the password may be split across several packets or fragments. */
  protected readonly mask: SecretMask

  constructor(options: TraceOptions) {
    this.options = options
    this.mask = new SecretMask(options.password)
  }

  protected show(direction: RconTraceEvent["direction"], bytes: Uint8Array): void {
    this.options.trace({ direction, transport: this.transport, bytes, timeMs: this.options.now() })
  }
}

/** Traces one TCP connection. */
export class ConnectionTrace extends Trace {
  protected readonly transport = "tcp"
  private readonly framer = new SourceRconFramer()
  private isOver = false

  sent(packet: SourceRconPacket): void {
    const body = packet.type === AUTH ? PASSWORD_MASK : maskSecret(packet.body, this.options.password)
    this.show("sent", encodePacket({ ...packet, body }))
  }

  received(segment: Uint8Array): void {
    for (const packet of this.framer.push(segment)) {
      this.show("received", encodePacket({ ...packet, body: this.mask.push(packet.body) }))
    }
    if (this.framer.failure !== undefined) this.ended()
  }

  /** Called when the stream has ended, or when the remaining bytes of the stream cannot be decoded. */
  ended(): void {
    if (this.isOver) return
    this.isOver = true
    if (this.framer.pendingBytes > 0) this.show("received", this.mask.push(this.framer.pending))
  }
}

const FRAGMENT_HEADER_BYTES = 9
const CHALLENGE = "challenge rcon "
const PRINT = "print\n"

/** The offset of the text in a datagram from the server. If the datagram contains no text, the offset is the length of the datagram. */
const textOffset = (datagram: Uint8Array): number => {
  if (isSplit(datagram)) return FRAGMENT_HEADER_BYTES
  if (beginsWith(datagram, CHALLENGE)) return datagram.length
  return HEADER_BYTES + (beginsWith(datagram, PRINT) ? PRINT.length : 1)
}

/** Traces the datagrams of a UDP socket. */
export class DatagramTrace extends Trace {
  protected readonly transport = "udp"

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

  received(datagram: Uint8Array): void {
    const at = Math.min(textOffset(datagram), datagram.length)
    const text = this.mask.push(datagram.subarray(at))
    this.show("received", concatBytes([datagram.subarray(0, at), text]))
  }
}
