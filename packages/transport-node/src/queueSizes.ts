/** Sets the queue sizes of a `node:dgram` socket, as far as the system allows. */
import type { OpenOptions } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** If the system rejects a queue size of at most this many bytes, no smaller size is requested. */
const LEAST_QUEUE_BYTES = 65_536

/**
 * Requests a queue size. If the system rejects the size, requests half of it, and so on. Linux reduces a size to its limit; other systems
 * reject sizes above their limit.
 */
const size = (wanted: number | undefined, set: (bytes: number) => void): void => {
  for (let bytes = wanted ?? 0; bytes > 0; bytes = bytes > LEAST_QUEUE_BYTES ? Math.ceil(bytes / 2) : 0) {
    try {
      set(bytes)
      return
    } catch {
      continue
    }
  }
}

/** Sets the queues for which a size is requested. */
export const sizeQueues = (socket: Socket, { receiveBufferBytes, sendBufferBytes }: OpenOptions): void => {
  size(receiveBufferBytes, (bytes) => socket.setRecvBufferSize(bytes))
  size(sendBufferBytes, (bytes) => socket.setSendBufferSize(bytes))
}
