/**
 * UDP over `Bun.udpSocket`: the `Datagrams` service for Bun. An unconnected socket collects the datagrams of one turn of the event loop,
 * and sends them in one system call. Bun cannot set the sizes of the socket's buffers in the kernel.
 */
import { Datagrams, toSocketFault, openFailed } from "@sourcewire/core/transport"
import type { DatagramHandle, DatagramHandler, Family, OpenOptions } from "@sourcewire/core/transport"
import { withoutFtl } from "@sourcewire/protocol/wire"
import { batched, resolve } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UdpSocket } from "./internal/runtime.ts"
import { udpSocket } from "./internal/runtime.ts"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

/** Bun's flag for an IPv6-only socket. Bun does not export this flag. */
const IPV6_ONLY = 8

/**
 * Maximum number of datagrams that wait until the system's send queue accepts them. Further datagrams are dropped, as on a slow network.
 */
const MAX_WAITING = 4096

/** Maximum number of times that a datagram is sent again because `sendMany` reported the error of an earlier datagram. */
const MAX_RESENDS = 8

/** An open socket, with a queue of the datagrams that the next system call sends. */
class BunSocket implements DatagramHandle {
  private readonly handler: DatagramHandler
  private readonly isConnected: boolean
  private socket: UdpSocket | undefined
  /** Datagrams in the format of `sendMany`. */
  private readonly waiting: Array<Uint8Array | number | string> = []
  private readonly width: 1 | 3
  private isScheduled = false
  private isFull = false
  private stolen = 0

  constructor(options: OpenOptions, handler: DatagramHandler) {
    this.handler = handler
    this.isConnected = options.connect !== undefined
    this.width = this.isConnected ? 1 : 3
  }

  get local(): DatagramHandle["local"] {
    const { address, port } = this.socket?.address ?? { address: "", port: 0 }
    return { address, port }
  }

  /** Attaches a socket that was just opened. Returns this handle. */
  attach(socket: UdpSocket): this {
    this.socket = socket
    return this
  }

  readonly callbacks = {
    data: (_: unknown, bytes: Uint8Array, port: number, address: string): void =>
      this.handler.onDatagram(bytes, address, port),
    error: (error: Error): void => {
      // On an unconnected socket, Bun does not report which receiver caused the error. Therefore the error is ignored, as on Node.
      if (this.isConnected) this.handler.onFault(toSocketFault(error, true))
    },
    drain: (): void => {
      if (!this.isFull) return
      this.isFull = false
      this.flush()
    }
  }

  readonly send: DatagramHandle["send"] = (bytes, address, port) => {
    const { waiting } = this
    if (waiting.length >= MAX_WAITING * this.width) return undefined
    // Send immediately, because a socket with a single peer rarely has several datagrams to send.
    if (this.isConnected) {
      waiting.push(bytes)
      return this.flush()
    }
    waiting.push(bytes, port, address)
    if (this.isScheduled || this.isFull) return undefined
    this.isScheduled = true
    return queueMicrotask(this.flushNow)
  }

  close(): void {
    this.flush()
    this.socket?.close()
    this.socket = undefined
  }

  private readonly flushNow = (): void => this.flush()

  private flush(): void {
    this.isScheduled = false
    while (this.socket !== undefined && this.waiting.length > 0 && !this.isFull) {
      try {
        const sent = this.socket.sendMany(this.waiting)
        // If `sendMany` sent only some of the datagrams and threw no error, either the system's queue is full or the next datagram is
        // invalid. The next call of `sendMany` shows the reason: if the queue is full, the call sends nothing; if the datagram is invalid,
        // the call throws.
        this.isFull = sent === 0
        if (sent * this.width === this.waiting.length) this.waiting.length = 0
        else this.waiting.splice(0, sent * this.width)
        if (sent > 0) this.stolen = 0
      } catch (error) {
        this.onSendError(error)
      }
    }
  }

  private onSendError(error: unknown): void {
    const fault = toSocketFault(error, this.isConnected)
    // An earlier datagram caused this error, and Bun also passes the error to the callback `error`. The current datagram was not sent, and
    // remains in the queue.
    if (fault.kind === "refused" && this.stolen++ < MAX_RESENDS) return
    this.stolen = 0
    const [, port, address] = this.waiting.splice(0, this.width)
    // After `MAX_RESENDS` attempts, the current datagram is dropped. On an unconnected socket, an earlier datagram may have caused the
    // error. Therefore no error is reported for the receiver of the current datagram.
    if (fault.kind === "refused" && !this.isConnected) return
    const peer = { address: String(address), port: Number(port) }
    this.handler.onFault(this.isConnected ? fault : { ...fault, peer })
  }
}

const spareCompiler = /* @__PURE__ */ withoutFtl(() => [BunSocket])

const open = (options: OpenOptions, handler: DatagramHandler) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        if (udpSocket === undefined) throw new Error("this is not Bun")
        spareCompiler()
        const { bind, connect, family, keepsProcessAlive } = options
        const handle = new BunSocket(options, handler)
        const socket = await udpSocket({
          hostname: bind?.address ?? WILDCARD[family],
          port: bind?.port ?? 0,
          binaryType: "uint8array",
          socket: handle.callbacks,
          ...(family === 6 ? { flags: IPV6_ONLY } : {}),
          ...(connect === undefined ? {} : { connect: { hostname: connect.address, port: connect.port } })
        })
        if (keepsProcessAlive !== true) socket.unref()
        return handle.attach(socket)
      },
      catch: openFailed
    }),
    (socket) => Effect.sync(() => socket.close())
  )

/** UDP for Bun, without calls to the C library. This layer is fast enough for clients. */
export const unbatched: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, { open, resolve })

/** UDP for Bun. If the C library can be called, the IPv4 sockets of scans send and receive several datagrams per system call. */
export const layer: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, {
  open: /* @__PURE__ */ batched("bun", open),
  resolve
})
