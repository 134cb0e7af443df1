/**
 * One reader of server-sent events: a stream into its response. A reader that falls too far behind is disconnected, so that readers that
 * never read do not fill the memory.
 */
import type { ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { TLSSocket } from "node:tls"

/** What may wait for a reader, in bytes and in time. Readers share the bytes, so that this bounds all of them together, too. */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024
const MAX_BEHIND_MS = 30_000

export interface EventReader {
  readonly stream: Readable
  /** Sends bytes, which are not copied, unless the reader is too far behind: then it is disconnected. */
  readonly send: (bytes: Uint8Array) => void
}

/** Ends a connection without waiting for what the system has not sent yet. */
const disconnect = ({ socket }: ServerResponse): void => {
  if (socket === null) return
  // Only plain TCP connections can be reset: neither those with TLS nor those of local sockets, which have no address.
  if (socket instanceof TLSSocket || socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

/** A reader at the other end of a response; `onEnd` is called once, when it is gone. */
export const makeEventReader = (response: ServerResponse, onEnd: () => void): EventReader => {
  const stream = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      onEnd()
      done(error)
    }
  })
  let keptUpAt = performance.now()
  return {
    stream,
    send: (bytes) => {
      if (stream.destroyed) return
      const waiting = stream.readableLength + response.writableLength
      const now = performance.now()
      if (waiting === 0) keptUpAt = now
      if (waiting > MAX_WAITING_BYTES || now - keptUpAt > MAX_BEHIND_MS) {
        stream.destroy()
        disconnect(response)
      } else stream.push(bytes)
    }
  }
}
