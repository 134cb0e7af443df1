/** How large the queues of a socket of `node:dgram` are, as far as the system goes along. */
import type { OpenOptions } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** A queue of less than this, in bytes, is not worth asking for. */
const LEAST_QUEUE_BYTES = 65_536

/** Asks for a queue size, then for half as much, and so on: Linux gives what it allows, systems with a hard cap refuse. */
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

/** Sizes those queues for which something is wanted. */
export const sizeQueues = (socket: Socket, { receiveBufferBytes, sendBufferBytes }: OpenOptions): void => {
  size(receiveBufferBytes, (bytes) => socket.setRecvBufferSize(bytes))
  size(sendBufferBytes, (bytes) => socket.setSendBufferSize(bytes))
}
