/**
 * Datagrams in the memory layout of `sendmmsg` and `recvmmsg` on 64-bit little-endian Linux. The layout is an array of `mmsghdr`. Each
 * `mmsghdr` points to a `sockaddr_in` and to an `iovec`. The `iovec` points to the bytes of the datagram. All these structures and bytes
 * are in one block, which is allocated once and never moves. Therefore the pointers are written only once, and are valid while the block is
 * referenced.
 */
import type { SystemCalls } from "./systemCalls.ts"

/**
 * Size of an `mmsghdr`, in bytes. An `mmsghdr` contains three pointers with their lengths (name, iov and control), the flags, and `msg_len`
 * (the number of transferred bytes).
 */
const HEADER_BYTES = 64
const NAME = 0
const NAME_LENGTH = 8
const IOV = 16
const IOV_LENGTH = 24
const TRANSFERRED = 56

/** Size of an `iovec`, in bytes. An `iovec` contains a pointer and a length. */
const VECTOR_BYTES = 16
const VECTOR_LENGTH = 8

/**
 * Size of a `sockaddr_in`, in bytes. A `sockaddr_in` contains the address family, and then the port and the address in network byte order.
 */
const NAME_BYTES = 16
const NAME_PORT = 2
const NAME_ADDRESS = 4
const AF_INET = 2

/** A fixed number of messages. Each message has its own buffer, and all buffers have the same size. */
export class Messages {
  /** The array of `mmsghdr` that is passed to the system calls. */
  readonly headers: Uint8Array
  private readonly block: Uint8Array
  private readonly view: DataView
  private readonly vectorsAt: number
  private readonly namesAt: number
  private readonly bytesAt: number
  private readonly stride: number

  /** `stride` is the distance from the start of a message's buffer to the start of the next message's buffer, in bytes. */
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

  /** Returns a view of the bytes that {@link write} copied to message `i`. */
  written(i: number): Uint8Array {
    return this.payload(i, this.view.getUint32(this.vectorAt(i) + VECTOR_LENGTH, true))
  }

  /** Returns a view of the bytes that message `i` received. The next receive call overwrites these bytes. */
  received(i: number): Uint8Array {
    return this.payload(i, this.view.getUint32(i * HEADER_BYTES + TRANSFERRED, true))
  }

  /** Returns the address of message `i` as a 32-bit number: the receiver if the message is sent, the sender if the message was received. */
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
