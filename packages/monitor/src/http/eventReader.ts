/**
 * A reader of server-sent events. If too much data waits for a reader, the reader is disconnected. Without this limit, the data for clients
 * that never read would fill the memory.
 */
import type { ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { TLSSocket } from "node:tls"

/**
 * Maximum number of bytes that wait for a reader. All readers share one copy of the bytes. Therefore the waiting data of many readers needs
 * little more memory than the waiting data of one reader.
 */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** If bytes have waited for a reader without interruption for longer than this time, the reader is disconnected. */
const MAX_BEHIND_MS = 30_000

export interface EventReader {
  readonly stream: Readable
  /** Sends bytes without copying them. Disconnects the reader if too many bytes wait, or if bytes wait for too long. */
  readonly send: (bytes: Uint8Array) => void
}

/** Closes a connection without waiting for unsent data. */
const disconnect = ({ socket }: ServerResponse): void => {
  if (socket === null) return
  // Node.js can reset only plain TCP connections. TLS sockets and Unix sockets (without a remote address) are destroyed instead.
  if (socket instanceof TLSSocket || socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

/** Creates a reader for a response. `onEnd` runs once, when the reader disconnects. */
export const makeEventReader = (response: ServerResponse, onEnd: () => void): EventReader => {
  const stream = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      onEnd()
      done(error)
    }
  })
  let upToDateAt = performance.now()
  return {
    stream,
    send: (bytes) => {
      if (stream.destroyed) return
      const waiting = stream.readableLength + response.writableLength
      const now = performance.now()
      if (waiting === 0) upToDateAt = now
      if (waiting > MAX_WAITING_BYTES || now - upToDateAt > MAX_BEHIND_MS) {
        stream.destroy()
        disconnect(response)
      } else stream.push(bytes)
    }
  }
}
