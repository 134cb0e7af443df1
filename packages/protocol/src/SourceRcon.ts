/**
 * Source RCON packets, and the framer that finds them in a TCP stream. The format is Valve's "Source RCON Protocol".
 *
 * | offset | size | field | |
 * |---|---|---|---|
 * | 0 | 4 | size | number of bytes after this field, little endian, signed; 10 for an empty body |
 * | 4 | 4 | id | a number that the client chooses; the reply repeats it, or contains −1 if the password is wrong |
 * | 8 | 4 | type | 3 password; 2 command, and also the server's reply to the password; 0 reply to a command |
 * | 12 | size − 10 | body | text in the server's encoding |
 * | size + 2 | 2 | NUL NUL | the body's end, and an empty second text |
 *
 * Bodies are bytes, because a reply can be split anywhere, even inside a character. Join all packets of a reply before you decode the text.
 * The framer does not interpret packets; the RCON sessions of `@sourcewire/core` interpret them.
 *
 * @example
 * import { AUTH, AUTH_RESPONSE, encodePacket, EXEC_COMMAND, PACKET_OVERHEAD_BYTES, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
 * const packet = encodePacket({ id: 1, type: EXEC_COMMAND, body: new TextEncoder().encode("status") })
 * console.log(packet.length - PACKET_OVERHEAD_BYTES) // 6
 * const framer = new SourceRconFramer()
 * framer.push(packet.subarray(0, 5))
 * for (const { id, type } of framer.push(packet.subarray(5))) console.log(id, type, { AUTH, AUTH_RESPONSE, RESPONSE_VALUE })
 */
import { LimitExceeded, type Malformed } from "./Errors.ts"
import { demandBytes, demandFunction, demandObject, demandWhole } from "./internal/edge.ts"
import { demandOptions } from "./UnknownOption.ts"
import { malformed } from "./internal/malformed.ts"
import { MAX_RCON_PACKET_BYTES } from "./Limits.ts"
import { u32 } from "./Wire.ts"

/** Type of the packet with the password (SERVERDATA_AUTH). */
export const AUTH = 3

/**
 * Type of the server's reply to the password (SERVERDATA_AUTH_RESPONSE). The id of this reply is the id of the packet with the password,
 * or −1 if the password is wrong.
 */
export const AUTH_RESPONSE = 2

/** Type of a command (SERVERDATA_EXECCOMMAND), which the client sends. The server uses the same number for {@link AUTH_RESPONSE}. */
export const EXEC_COMMAND = 2

/** Type of a packet with a reply to a command, or with a part of this reply (SERVERDATA_RESPONSE_VALUE). */
export const RESPONSE_VALUE = 0

/** One packet of the stream. */
export interface SourceRconPacket {
  /** Signed 32 bits. */
  readonly id: number
  /** Signed 32 bits. The framer also returns packets with an unknown type. */
  readonly type: number
  /** The bytes of the text, without the two closing NULs. */
  readonly body: Uint8Array
}

/** Number of bytes that a packet has in addition to its body: size, id, type and the two NULs. */
export const PACKET_OVERHEAD_BYTES = 14

/** An error that ends the decoding of a stream, because the start of the next packet is unknown. */
export type SourceRconError = LimitExceeded | Malformed

const EMPTY_SIZE = 10
/**
 * Minimum value of the size field. A few servers omit one or both NULs of an empty reply. Without NULs, only the id and the type follow the
 * size field.
 */
const SMALLEST_SIZE = 8
const everything = (): boolean => true
/**
 * If the size field is larger than this number, the bytes of the field are text of another protocol, because no real RCON packet is so
 * large.
 */
const ABSURD_SIZE = 256 * 1024 * 1024

/** Encodes a packet. The caller must limit the body to the size that the receiver accepts (4096 − 10 bytes on Valve's servers). */
export const encodePacket = (packet: SourceRconPacket): Uint8Array => {
  const { body, id, type } = demandObject(packet, "packet")
  demandBytes(body, "body")
  demandWhole(id, "id", -(2 ** 31), 2 ** 31 - 1)
  demandWhole(type, "type", -(2 ** 31), 2 ** 31 - 1)
  const size = body.length + EMPTY_SIZE
  const bytes = new Uint8Array(size + 4)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, size, true)
  view.setInt32(4, id, true)
  view.setInt32(8, type, true)
  bytes.set(body, 12)
  return bytes
}

/**
 * Finds the packets in a stream. The segments of the stream may begin and end anywhere, even inside a packet.
 *
 * The framer stores at most one packet and one segment. If {@link SourceRconFramer.failure} is set, no more packets can be found; close
 * the connection.
 */
export class SourceRconFramer {
  private buffer = new Uint8Array(256)
  private start = 0
  private end = 0
  private error: SourceRconError | undefined
  private readonly maxPacketBytes: number

  constructor(options?: {
    /** Maximum value of the size field (default: {@link MAX_RCON_PACKET_BYTES}). */
    readonly maxPacketBytes?: number
  }) {
    const { maxPacketBytes = MAX_RCON_PACKET_BYTES } = demandOptions(options ?? {}, ["maxPacketBytes"])
    demandWhole(maxPacketBytes, "maxPacketBytes", SMALLEST_SIZE, 2 ** 31 - 1)
    this.maxPacketBytes = maxPacketBytes
  }

  /** Number of stored bytes of an incomplete packet. If this number is not 0 when the connection ends, the last packet is incomplete. */
  get pendingBytes(): number {
    return this.end - this.start
  }

  /** A copy of the bytes of the incomplete packet. */
  get pending(): Uint8Array {
    return this.buffer.slice(this.start, this.end)
  }

  /**
   * The error that ended decoding; `undefined` if there was no error. `push` has already returned the packets that were complete before the
   * error.
   */
  get failure(): SourceRconError | undefined {
    return this.error
  }

  /**
   * Returns the packets that `segment` completes, in the order of the stream. The framer copies bytes of `segment`, so that the caller may
   * reuse the memory of `segment`. Packets that `isWanted` rejects are skipped without a copy, because a server that floods the client can
   * send millions of them.
   */
  push(
    segment: Uint8Array,
    isWanted: (id: number, type: number) => boolean = everything
  ): ReadonlyArray<SourceRconPacket> {
    demandBytes(segment, "segment")
    demandFunction(isWanted, "isWanted")
    const packets: Array<SourceRconPacket> = []
    if (this.error !== undefined) return packets
    this.append(segment)
    while (this.pendingBytes >= 4) {
      const size = this.int32(0)
      if (size < SMALLEST_SIZE || size > this.maxPacketBytes) {
        this.error = this.refuse(size)
        break
      }
      if (this.pendingBytes < size + 4) break
      const id = this.int32(4)
      const type = this.int32(8)
      if (isWanted(id, type)) packets.push({ id, type, body: this.body(size) })
      this.start += size + 4
    }
    if (this.start === this.end) this.start = this.end = 0
    return packets
  }

  private int32(offset: number): number {
    return u32(this.buffer, this.start + offset) | 0
  }

  private body(size: number): Uint8Array {
    let end = this.start + 4 + size
    const start = this.start + 12
    for (let nuls = 0; nuls < 2 && end > start && this.buffer[end - 1] === 0; nuls++) end--
    return this.buffer.slice(start, end)
  }

  private append(segment: Uint8Array): void {
    if (this.end + segment.length > this.buffer.length) {
      const held = this.buffer.subarray(this.start, this.end)
      const needed = held.length + segment.length
      if (needed > this.buffer.length) this.buffer = new Uint8Array(Math.max(needed, this.buffer.length * 2))
      this.buffer.set(held)
      this.start = 0
      this.end = held.length
    }
    this.buffer.set(segment, this.end)
    this.end += segment.length
  }

  private refuse(size: number): SourceRconError {
    if (size >= SMALLEST_SIZE && size <= ABSURD_SIZE) {
      return new LimitExceeded({
        message: `The server announced a packet of ${size} bytes; the limit is ${this.maxPacketBytes}.`,
        limit: "MAX_RCON_PACKET_BYTES",
        max: this.maxPacketBytes
      })
    }
    const message = `Not an RCON packet: its size field is ${size}. Another program may listen on this port.`
    return malformed("SourceRconPacket", this.pending, "size", 0, message)
  }
}
