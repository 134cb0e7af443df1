/**
 * An emulated C library with one UDP socket. Like Linux, it follows the pointers that a call contains, and reads the structures from
 * memory. It accepts as many datagrams as the test specifies.
 *
 * @module
 */
import type { SystemCalls } from "../../src/batched/systemCalls.ts"

/** A datagram that the tested code sends with `sendmmsg` or receives with `recvmmsg`. */
export interface Sent {
  readonly bytes: ReadonlyArray<number>
  readonly address: string
  readonly port: number
}

const FD = 7

/** The address of the first memory block, and the distance between the blocks. Addresses have more than 32 bits, as on real systems. */
const [FIRST, ROOM] = [0x7f00_0000_0000n, 0x1_0000_0000n]

/** System calls that record the sent datagrams, and return what the test specifies. */
export class Kernel implements SystemCalls {
  readonly sent: Array<Sent> = []
  /** Number of datagrams in each call of `sendmmsg`. */
  readonly batches: Array<number> = []
  /** Numbers of datagrams that the next calls of `sendmmsg` accept; -1 is an error. If the list is empty, a call accepts all datagrams. */
  readonly takes: Array<number> = []
  /** Datagrams that wait until the tested code receives them with `recvmmsg`. */
  readonly queue: Array<Sent> = []
  port = 40_000
  /** Number of datagrams that the system dropped because the receive queue was full. */
  drops = 0
  /** Sizes of the send queue (option 7) and of the receive queue (option 8), in bytes. */
  readonly queueSizes = new Map([
    [7, 1000],
    [8, 2000]
  ])
  private readonly blocks: Array<Uint8Array> = []

  readonly getPointer: SystemCalls["getPointer"] = (bytes) => FIRST + ROOM * BigInt(this.blocks.push(bytes) - 1)

  readonly getsockname: SystemCalls["getsockname"] = (fd, address) => {
    if (fd !== FD) return -1
    const view = new DataView(address.buffer, address.byteOffset)
    view.setUint16(0, 2, true)
    view.setUint16(2, this.port, false)
    return 0
  }

  readonly getsockopt: SystemCalls["getsockopt"] = (fd, _level, option, value) => {
    if (fd !== FD) return -1
    const numbers = new Uint32Array(value.buffer)
    // The value of SO_TYPE is SOCK_DGRAM. The last number in SO_MEMINFO counts the drops.
    if (option === 3) numbers[0] = 2
    else if (option === 55) numbers.fill(4096).fill(this.drops, 8)
    else numbers[0] = this.queueSizes.get(option)!
    return 0
  }

  readonly setsockopt: SystemCalls["setsockopt"] = (fd, _level, option, value) => {
    if (fd !== FD) return -1
    // Linux doubles the requested size.
    this.queueSizes.set(option, 2 * new Uint32Array(value.buffer)[0]!)
    return 0
  }

  readonly sendmmsg: SystemCalls["sendmmsg"] = (fd, headers, count) => {
    this.batches.push(count)
    const taken = fd === FD ? (this.takes.shift() ?? count) : -1
    for (let i = 0; i < taken; i++) {
      const { bytes, name } = this.follow(headers, i)
      const address = [4, 5, 6, 7].map((at) => name.getUint8(at)).join(".")
      this.sent.push({ bytes: [...bytes], address, port: name.getUint16(2, false) })
    }
    return taken
  }

  readonly recvmmsg: SystemCalls["recvmmsg"] = (fd, headers, count) => {
    if (fd !== FD || this.queue.length === 0) return -1
    const some = this.queue.splice(0, count)
    some.forEach((one, i) => {
      const { bytes, header, name } = this.follow(headers, i)
      bytes.set(one.bytes)
      one.address.split(".").forEach((part, k) => name.setUint8(4 + k, Number(part)))
      name.setUint16(2, one.port, false)
      header.setUint32(56, one.bytes.length, true)
    })
    return some.length
  }

  private follow(headers: Uint8Array, i: number) {
    const header = new DataView(headers.buffer, headers.byteOffset + 64 * i, 64)
    const name = this.at(header.getBigUint64(0, true), header.getUint32(8, true))
    if (header.getBigUint64(24, true) !== 1n) throw new Error("not one vector")
    const vector = this.at(header.getBigUint64(16, true), 16)
    const part = this.at(vector.getBigUint64(0, true), Number(vector.getBigUint64(8, true)))
    return { header, name, bytes: new Uint8Array(part.buffer, part.byteOffset, part.byteLength) }
  }

  private at(pointer: bigint, length: number): DataView {
    const [block, offset] = [this.blocks[Number((pointer - FIRST) / ROOM)]!, Number((pointer - FIRST) % ROOM)]
    return new DataView(block.buffer, block.byteOffset + offset, length)
  }
}
