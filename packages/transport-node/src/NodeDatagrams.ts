/** The `Datagrams` service for Node: UDP over `node:dgram`. */
import type { SendFailed } from "@sourcewire/core"
import { Datagrams, toSocketFault, openFailed } from "@sourcewire/core/transport"
import type { DatagramHandle, DatagramHandler, Family, OpenOptions } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as dgram from "node:dgram"
import { batched } from "./batched/batched.ts"
import { dropCounter } from "./linuxDrops.ts"
import { sizeQueues } from "./queueSizes.ts"
import { sendDespiteEarlierError } from "./stolenSends.ts"
import { runtime } from "./batched/systemCalls.ts"
import { resolve } from "./NodeNames.ts"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

type Found = (error: NodeJS.ErrnoException | null, address: string, family: number) => void

// `node:dgram` looks up every address before each send, even a numeric address. This lookup would take 20 % of a scan's time. This module
// sends only to numeric addresses. Therefore it replaces the lookup with functions that return the address unchanged.
const NUMERIC: Readonly<Record<Family, (host: string, options: unknown, found: Found) => void>> = {
  4: (host, _, found) => found(null, host, 4),
  6: (host, _, found) => found(null, host, 6)
}

/** Maximum number of datagrams that wait to be sent. Further datagrams are dropped, as on a slow network. */
const MAX_WAITING = 4096

const HANDLER = Symbol("handler")

type HandledSocket = dgram.Socket & { readonly [HANDLER]: DatagramHandler }

// All sockets share this function. If each socket had its own closure, V8 would discard the optimized code as soon as a second scan called
// its own closure.
function onMessage(this: HandledSocket, bytes: Uint8Array, sender: dgram.RemoteInfo): void {
  this[HANDLER].onDatagram(bytes, sender.address, sender.port)
}

/** An open socket. `send` and `sendQuietly` are methods, because a closure for each socket would be slower (see {@link onMessage}). */
class NodeSocket implements DatagramHandle {
  readonly local: DatagramHandle["local"]
  readonly receiveBufferBytes: number
  readonly sendBufferBytes: number
  readonly countDropped?: () => number
  private readonly socket: HandledSocket
  private readonly isConnected: boolean
  private readonly onSent: (error: Error | null) => void

  constructor(socket: HandledSocket, options: OpenOptions) {
    const { address, port } = socket.address()
    this.local = { address, port }
    this.receiveBufferBytes = socket.getRecvBufferSize()
    this.sendBufferBytes = socket.getSendBufferSize()
    const countDropped = options.receiveBufferBytes === undefined ? undefined : dropCounter(options.family, this.local)
    if (countDropped !== undefined) this.countDropped = countDropped
    this.socket = socket
    this.isConnected = options.connect !== undefined
    this.onSent = (error) => {
      if (error !== null) socket[HANDLER].onFault(toSocketFault(error, this.isConnected))
    }
  }

  send(bytes: Uint8Array, address: string, port: number): void {
    // On Deno, the sockets of `node:dgram` lack `getSendQueueCount`.
    if ((this.socket.getSendQueueCount?.() ?? 0) >= MAX_WAITING) return
    if (this.isConnected) this.socket.send(bytes, this.onSent)
    else if (runtime === "bun") sendDespiteEarlierError(this.socket, bytes, address, port, this.onSent)
    else this.socket.send(bytes, port, address, this.onSent)
  }

  /** Sends without a callback. Sending without a callback saves an eighth of a scan's time, but Node then does not report errors. */
  sendQuietly(bytes: Uint8Array, address: string, port: number): void {
    if (this.isConnected) this.socket.send(bytes)
    else if (runtime === "bun") this.send(bytes, address, port)
    else this.socket.send(bytes, port, address)
  }
}

const open = (options: OpenOptions, handler: DatagramHandler) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<HandledSocket, SendFailed>((resume) => {
        const { bind, connect, family } = options
        const type = family === 4 ? "udp4" : "udp6"
        const socket = Object.assign(dgram.createSocket({ type, ipv6Only: family === 6, lookup: NUMERIC[family] }), {
          [HANDLER]: handler
        })
        const onOpenError = (error: Error): void => {
          socket.close()
          resume(Effect.fail(openFailed(error)))
        }
        const onOpen = (): void => {
          socket.off("error", onOpenError)
          socket.on("error", (error) => handler.onFault(toSocketFault(error, connect !== undefined)))
          if ((options.receiveBufferBytes ?? options.sendBufferBytes) !== undefined) sizeQueues(socket, options)
          resume(Effect.succeed(socket))
        }
        socket.once("error", onOpenError)
        socket.on("message", onMessage)
        if (options.keepsProcessAlive !== true) socket.unref()
        socket.bind({ address: bind?.address ?? WILDCARD[family], port: bind?.port ?? 0, exclusive: true }, () => {
          if (connect === undefined) onOpen()
          else {
            socket.once("connect", onOpen)
            socket.connect(connect.port, connect.address)
          }
        })
      }),
      (socket) => Effect.sync(() => socket.close())
    ),
    (socket) => new NodeSocket(socket, options)
  )

/** UDP of Node with one system call per datagram. Clients send few datagrams, and do not need batched system calls. */
export const unbatched: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, { open, resolve })

/** UDP of Node. The IPv4 sockets of scans use batched system calls, if the C library can be called. */
export const layer: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, {
  open: /* @__PURE__ */ batched("node", open),
  resolve
})
