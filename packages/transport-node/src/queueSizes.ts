/** Sets the queue sizes of a `node:dgram` socket, as far as the system allows. */
import type { OpenOptions } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** If the system rejects a queue size of at most this many bytes, the function does not request a smaller size. */
const LEAST_QUEUE_BYTES = 65_536

/**
 * Requests a queue size. If the system rejects a size, the function requests half of that size, until the system accepts a size. Linux
 * never rejects a size: if a size is above the limit, Linux uses the limit. Other systems reject sizes above their limits.
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

/** Sets the sizes of the queues for which the options contain a size. */
export const sizeQueues = (socket: Socket, { receiveBufferBytes, sendBufferBytes }: OpenOptions): void => {
  size(receiveBufferBytes, (bytes) => socket.setRecvBufferSize(bytes))
  size(sendBufferBytes, (bytes) => socket.setSendBufferSize(bytes))
}
