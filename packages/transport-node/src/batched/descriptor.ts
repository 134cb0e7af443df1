/**
 * The descriptor of a socket that a runtime has opened and tells nobody the number of, and what Linux says and does about it.
 */
import type { Endpoint } from "@sourcewire/core/transport"
import type { SystemCalls } from "./systemCalls.ts"

/** Descriptors looked at. Linux gives the lowest that is free, so that there is none above what a process has open. */
const MOST = 65_536

const AF_INET = 2
const SOCK_DGRAM = 2
const SOL_SOCKET = 1
const SO_TYPE = 3
const SO_MEMINFO = 55

/** Numbers that `SO_MEMINFO` gives, and which of them counts dropped datagrams. */
const MEMINFO_NUMBERS = 9
const MEMINFO_DROPS = 8

/** The option that sizes a queue. The system gives twice what is asked for, bookkeeping included, up to a limit. */
export const Queue = { send: 7, receive: 8 } as const

const lengthOf = (bytes: number): Uint8Array => new Uint8Array(Uint32Array.of(bytes).buffer)

const optionOf = (calls: SystemCalls, fd: number, option: number, numbers = 1): Uint32Array | undefined => {
  const value = new Uint32Array(numbers)
  const bytes = new Uint8Array(value.buffer)
  return calls.getsockopt(fd, SOL_SOCKET, option, bytes, lengthOf(bytes.length)) === 0 ? value : undefined
}

/** The UDP socket that is bound to an IPv4 address and port; no two of a process are. */
export const findDescriptor = (calls: SystemCalls, { address, port }: Endpoint): number | undefined => {
  const name = new Uint8Array(16)
  const view = new DataView(name.buffer)
  for (let fd = 0; fd < MOST; fd++) {
    if (calls.getsockname(fd, name, lengthOf(name.length)) !== 0) continue
    if (view.getUint16(0, true) !== AF_INET || view.getUint16(2, false) !== port) continue
    if (name.subarray(4, 8).join(".") !== address) continue
    if (optionOf(calls, fd, SO_TYPE)?.[0] === SOCK_DGRAM) return fd
  }
  return undefined
}

/** Asks for the size of a queue, in bytes, and tells what there is. */
export const sizeQueue = (calls: SystemCalls, fd: number, queue: number, wanted?: number): number | undefined => {
  if (wanted !== undefined) calls.setsockopt(fd, SOL_SOCKET, queue, lengthOf(wanted), 4)
  return optionOf(calls, fd, queue)?.[0]
}

/** How many datagrams were dropped because the receive queue was full, since the socket was opened. */
export const countDrops = (calls: SystemCalls, fd: number): number =>
  optionOf(calls, fd, SO_MEMINFO, MEMINFO_NUMBERS)?.[MEMINFO_DROPS] ?? 0
