/**
 * TCP over `node:net`, which Node, Deno and Bun provide. Only RCON and log lines over HTTP use TCP. They transfer little data. Therefore a
 * separate, faster implementation for each runtime is not necessary.
 */
import { PortClosed, SendFailed, Timeout, Unresolved } from "@sourcewire/core"
import { Streams } from "@sourcewire/core/transport"
import type { Endpoint, StreamHandle, StreamHandler, StreamFault } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as net from "node:net"
// Do not use the global `setTimeout`, which returns a number on Deno.
import { clearTimeout, setTimeout } from "node:timers"

/** Time without traffic before the first keep-alive probe, in ms. Routers with NAT commonly drop an idle connection after a few minutes. */
const KEEP_ALIVE_MS = 30_000

/** Maximum time to send queued data when a connection closes, in ms. */
const FLUSH_MS = 1000

/** Size of the buffer for received data, in bytes. Node would by default allocate buffers of the same size. */
const READ_BYTES = 64 * 1024

/** Converts a system error to a fault, and writes `sentence` before the message of the error. */
const toStreamFault = ({ code, message }: NodeJS.ErrnoException, sentence = ""): StreamFault => ({
  message: sentence + message,
  ...(code === undefined ? {} : { code })
})

const endpoint = (address: string | undefined, port: number | undefined): Endpoint => ({
  address: address ?? "",
  port: port ?? 0
})

/** Ends a connection and waits until its socket is closed, but no longer than {@link FLUSH_MS}. */
const endAndWait = (socket: net.Socket, handle: StreamHandle): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (socket.closed) return resume(Effect.void)
    socket.once("close", () => resume(Effect.void))
    return handle.end()
  })

/** Passes the events of an open socket to its handler, and returns the handle of the socket. */
const attach = (socket: net.Socket, handlerOf: (handle: StreamHandle) => StreamHandler): StreamHandle => {
  let fault: StreamFault | undefined
  let closedHere = false
  const handle: StreamHandle = {
    local: endpoint(socket.localAddress, socket.localPort),
    remote: endpoint(socket.remoteAddress, socket.remotePort),
    write: (bytes) => {
      if (socket.writable) socket.write(bytes)
    },
    queuedBytes: () => socket.writableLength,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => {
      closedHere = true
      if (socket.destroyed) return
      socket.destroySoon()
      // Without this timer, a peer that does not read could keep the socket open forever.
      const giveUp = setTimeout(() => socket.destroy(), FLUSH_MS).unref()
      socket.once("close", () => clearTimeout(giveUp))
    },
    destroy: () => {
      closedHere = true
      socket.destroy()
    }
  }
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  const handler = handlerOf(handle)
  socket.on("data", (bytes: Uint8Array) => {
    if (!closedHere) handler.onData(bytes)
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    fault = toStreamFault(error)
  })
  socket.on("close", () => {
    if (!closedHere) handler.onClose(fault)
    closedHere = true
  })
  return handle
}

const connectError = (error: NodeJS.ErrnoException, host: string, port: number) => {
  switch (error.code) {
    case "ECONNREFUSED":
      return new PortClosed({ message: `TCP port ${port} of ${host} is closed.` })
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NODATA":
    case "EAI_NONAME":
      return new Unresolved({ message: `The name ${host} has no address. Check its spelling.`, host })
    default:
      return new SendFailed(toStreamFault(error, `Cannot connect to TCP port ${port} of ${host}: `))
  }
}

const connect: Streams["Service"]["connect"] = ({ host, port, timeoutMs }, handler) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ socket: net.Socket; handle: StreamHandle }, PortClosed | SendFailed | Unresolved>((resume) => {
        // Read all received data into one buffer. If Node allocated a new buffer for each segment, a server that floods the client could
        // occupy hundreds of megabytes.
        const onread = {
          buffer: new Uint8Array(READ_BYTES),
          callback: (length: number, buffer: Uint8Array): boolean => {
            socket.emit("data", buffer.subarray(0, length))
            return true
          }
        }
        const socket = net.connect({ host, port, onread })
        const onError = (error: NodeJS.ErrnoException) => {
          socket.destroy()
          resume(Effect.fail(connectError(error, host, port)))
        }
        socket.once("error", onError)
        socket.once("connect", () => {
          const handle = attach(socket, () => handler)
          socket.off("error", onError)
          resume(Effect.succeed({ socket, handle }))
        })
        return Effect.sync(() => {
          socket.off("error", onError)
          // If a socket is destroyed while it connects, it can still emit `error`. Without a listener, this event would end the program.
          socket.on("error", () => {})
          socket.destroy()
        })
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => {
            const message = `TCP port ${port} of ${host} did not accept a connection within ${timeoutMs} ms.`
            return Effect.fail(new Timeout({ message, phase: "connect", sent: 0, received: 0 }))
          }
        })
      ),
      ({ socket, handle }) => endAndWait(socket, handle),
      { interruptible: true }
    ),
    ({ handle }) => handle
  )

const listen: Streams["Service"]["listen"] = ({ bind, maxConnections }, accept) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ server: net.Server; open: Set<StreamHandle> }, SendFailed>((resume) => {
        const open = new Set<StreamHandle>()
        const server = net.createServer((socket) => {
          // If the socket has no remote address, the client reset the connection before this server accepted the connection.
          if (socket.remoteAddress === undefined) return socket.destroy()
          const handle = attach(socket, accept)
          open.add(handle)
          socket.once("close", () => open.delete(handle))
          return undefined
        })
        server.maxConnections = maxConnections
        server.once("error", (error: NodeJS.ErrnoException) => {
          const sentence = `Cannot listen on TCP ${bind.address} port ${bind.port}: `
          resume(Effect.fail(new SendFailed(toStreamFault(error, sentence))))
        })
        server.listen(bind.port, bind.address, () => resume(Effect.succeed({ server, open })))
      }),
      ({ server, open }) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const handle of open) handle.destroy()
        })
    ),
    ({ server }) => {
      const local = server.address() as net.AddressInfo
      return { local: endpoint(local.address, local.port) }
    }
  )

/** The `Streams` service for Node, Deno and Bun. */
export const layer: Layer.Layer<Streams> = /* @__PURE__ */ Layer.succeed(Streams, { connect, listen })
