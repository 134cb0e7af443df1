/**
 * Datagrams in the memory layout of `sendmmsg` and `recvmmsg` on 64-bit little-endian Linux. The layout is an array of `mmsghdr`. Each
 * `mmsghdr` points to a `sockaddr_in` and to an `iovec`, which points to the bytes. All these structures are in one block, which is
 * allocated once and never moves. Therefore the pointers in the block are written only once, and are valid while the block is referenced.
 */
import type { SystemCalls } from "./systemCalls.ts"

/**
 * Size of an `mmsghdr`. Its fields are a pointer and a length for each of name, iov and control, then flags, and then `msg_len`, the number
 * of transferred bytes.
 */
const HEADER_BYTES = 64
const NAME = 0
const NAME_LENGTH = 8
const IOV = 16
const IOV_LENGTH = 24
const TRANSFERRED = 56

/** Size of an `iovec`. Its fields are a pointer and a length. */
const VECTOR_BYTES = 16
const VECTOR_LENGTH = 8

/** Size of a `sockaddr_in`. Its fields are the family, then port and address in network byte order. */
const NAME_BYTES = 16
const NAME_PORT = 2
const NAME_ADDRESS = 4
const AF_INET = 2

/** A fixed number of messages. All of them have a buffer of the same size. */
export class Messages {
  /** The array of `mmsghdr` that is passed to the system calls. */
  readonly headers: Uint8Array
  private readonly block: Uint8Array
  private readonly view: DataView
  private readonly vectorsAt: number
  private readonly namesAt: number
  private readonly bytesAt: number
  private readonly stride: number

  /** `stride` is the distance between the beginnings of the buffers of two consecutive messages, in bytes. */
  constructor(capacity: number, stride: number, getPointer: SystemCalls["getPointer"]) {
    this.stride = stride
    this.vectorsAt = capacity * HEADER_BYTES
    this.namesAt = this.vectorsAt + capacity * VECTOR_BYTES
    this.bytesAt = this.namesAt + capacity * NAME_BYTES
    this.block = new Uint8Array(this.bytesAt + capacity * stride)
    this.headers = this.block.subarray(0, this.vectorsAt)
    this.view = new DataView(this.block.buffer)
    const start = getPointer(this.block)
    for (let i = 0; i < capacity; i++) {
      const [header, vector, name] = [i * HEADER_BYTES, this.vectorAt(i), this.nameAt(i)]
      this.view.setBigUint64(header + NAME, start + BigInt(name), true)
      this.view.setUint32(header + NAME_LENGTH, NAME_BYTES, true)
      this.view.setBigUint64(header + IOV, start + BigInt(vector), true)
      this.view.setBigUint64(header + IOV_LENGTH, 1n, true)
      this.view.setBigUint64(vector, start + BigInt(this.bytesAt + i * stride), true)
      this.view.setBigUint64(vector + VECTOR_LENGTH, BigInt(stride), true)
      this.view.setUint16(name, AF_INET, true)
    }
  }

  /** Copies a datagram to message `i`. The bytes must fit into the buffer of the message. */
  write(i: number, bytes: Uint8Array, address: number, port: number): void {
    const name = this.nameAt(i)
    this.block.set(bytes, this.bytesAt + i * this.stride)
    this.view.setUint32(this.vectorAt(i) + VECTOR_LENGTH, bytes.length, true)
    this.view.setUint16(name + NAME_PORT, port, false)
    this.view.setUint32(name + NAME_ADDRESS, address, false)
  }

  /** A view of the bytes that {@link write} stored. */
  written(i: number): Uint8Array {
    return this.payload(i, this.view.getUint32(this.vectorAt(i) + VECTOR_LENGTH, true))
  }

  /** A view of the received bytes. The next receive call overwrites these bytes. */
  received(i: number): Uint8Array {
    return this.payload(i, this.view.getUint32(i * HEADER_BYTES + TRANSFERRED, true))
  }

  /** The address of message `i` (receiver or sender), as a 32-bit number. */
  address(i: number): number {
    return this.view.getUint32(this.nameAt(i) + NAME_ADDRESS, false)
  }

  port(i: number): number {
    return this.view.getUint16(this.nameAt(i) + NAME_PORT, false)
  }

  private payload(i: number, length: number): Uint8Array {
    const at = this.bytesAt + i * this.stride
    return this.block.subarray(at, at + length)
  }

  private vectorAt(i: number): number {
    return this.vectorsAt + i * VECTOR_BYTES
  }

  private nameAt(i: number): number {
    return this.namesAt + i * NAME_BYTES
  }
}
