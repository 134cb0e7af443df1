/**
 * Finds the file descriptor of a UDP socket on Linux, because the runtimes do not expose this descriptor. Also reads and sets options of
 * the socket.
 */
import type { Endpoint } from "@sourcewire/core/transport"
import type { SystemCalls } from "./systemCalls.ts"

/**
 * Maximum number of descriptors that are searched. Linux gives a new file the lowest free descriptor. Therefore a socket has a higher
 * descriptor only if the process has had about this many open files.
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
 * The socket options for the queue sizes. If a requested size is above the system's limit, Linux uses the limit. Then Linux doubles the
 * size, because it also stores its own data in the queue.
 */
export const Queue = { send: 7, receive: 8 } as const

const encodeLength = (bytes: number): Uint8Array => new Uint8Array(Uint32Array.of(bytes).buffer)

const readOption = (calls: SystemCalls, fd: number, option: number, numbers = 1): Uint32Array | undefined => {
  const value = new Uint32Array(numbers)
  const bytes = new Uint8Array(value.buffer)
  return calls.getsockopt(fd, SOL_SOCKET, option, bytes, encodeLength(bytes.length)) === 0 ? value : undefined
}

/**
 * Returns the descriptor of the UDP socket that is bound to this IPv4 address and port. No other UDP socket of the process is bound to the
 * same address and port.
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

/**
 * Returns how many datagrams the system dropped because the socket's receive queue was full. The count begins when the socket is opened.
 */
export const countDrops = (calls: SystemCalls, fd: number): number =>
  readOption(calls, fd, SO_MEMINFO, MEMINFO_NUMBERS)?.[MEMINFO_DROPS] ?? 0
