/** Finds the file descriptor of a socket on Linux, because runtimes do not expose it. Reads and sets options of the socket. */
import type { Endpoint } from "@sourcewire/core/transport"
import type { SystemCalls } from "./systemCalls.ts"

/**
 * Maximum number of descriptors that are searched. Linux gives a new file the lowest free descriptor. Therefore the highest descriptor is
 * not far above the number of open files.
 */
const MOST = 65_536

const AF_INET = 2
const SOCK_DGRAM = 2
const SOL_SOCKET = 1
const SO_TYPE = 3
const SO_MEMINFO = 55

/** Number of values in `SO_MEMINFO`, and the index of the value that counts the dropped datagrams. */
const MEMINFO_NUMBERS = 9
const MEMINFO_DROPS = 8

/**
 * The socket options for the queue sizes. Linux first limits the requested size, and then doubles the result, because it also stores its
 * own data in the queue.
 */
export const Queue = { send: 7, receive: 8 } as const

const encodeLength = (bytes: number): Uint8Array => new Uint8Array(Uint32Array.of(bytes).buffer)

const readOption = (calls: SystemCalls, fd: number, option: number, numbers = 1): Uint32Array | undefined => {
  const value = new Uint32Array(numbers)
  const bytes = new Uint8Array(value.buffer)
  return calls.getsockopt(fd, SOL_SOCKET, option, bytes, encodeLength(bytes.length)) === 0 ? value : undefined
}

/**
 * Returns the descriptor of the UDP socket that is bound to this IPv4 address and port. At most one UDP socket of the process is bound to
 * this combination.
 */
export const findDescriptor = (calls: SystemCalls, { address, port }: Endpoint): number | undefined => {
  const name = new Uint8Array(16)
  const view = new DataView(name.buffer)
  for (let fd = 0; fd < MOST; fd++) {
    if (calls.getsockname(fd, name, encodeLength(name.length)) !== 0) continue
    if (view.getUint16(0, true) !== AF_INET || view.getUint16(2, false) !== port) continue
    if (name.subarray(4, 8).join(".") !== address) continue
    if (readOption(calls, fd, SO_TYPE)?.[0] === SOCK_DGRAM) return fd
  }
  return undefined
}

/** Returns the actual size of a queue, in bytes. If `wanted` is given, the function first requests this size. */
export const sizeQueue = (calls: SystemCalls, fd: number, queue: number, wanted?: number): number | undefined => {
  if (wanted !== undefined) calls.setsockopt(fd, SOL_SOCKET, queue, encodeLength(wanted), 4)
  return readOption(calls, fd, queue)?.[0]
}

/** Returns the number of datagrams that the system dropped since the socket was opened, because the receive queue was full. */
export const countDrops = (calls: SystemCalls, fd: number): number =>
  readOption(calls, fd, SO_MEMINFO, MEMINFO_NUMBERS)?.[MEMINFO_DROPS] ?? 0
