/**
 * UDP over `Bun.udpSocket`: the `Datagrams` seam for Bun. What an unconnected socket sends within one turn of the event loop leaves in
 * one call to the system. The kernel's queues cannot be sized.
 */
import { Datagrams, faultOf, openFailed } from "@sourcewire/core/transport"
import type { DatagramHandle, DatagramHandler, Family, OpenOptions } from "@sourcewire/core/transport"
import { withoutFtl } from "@sourcewire/protocol/wire"
import { batched, resolve } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UdpSocket } from "./internal/runtime.ts"
import { udpSocket } from "./internal/runtime.ts"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

/** Bun's flag for a socket that takes IPv6 only; it has no name outside. */
const IPV6_ONLY = 8

/** Datagrams that wait for the system's queue, at most; further ones are lost, as on a network that is too slow. */
const MAX_WAITING = 4096

/** How often a datagram is sent anew because the system reported an earlier one's end in its stead. */
const MAX_STOLEN_SENDS = 8

/** An open socket, and what is to leave with the next call. */
class BunSocket implements DatagramHandle {
  private readonly handler: DatagramHandler
  private readonly isConnected: boolean
  private socket: UdpSocket | undefined
  /** As `sendMany` takes it. */
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

  /** Becomes the handle of a socket that has just been opened. */
  attach(socket: UdpSocket): this {
    this.socket = socket
    return this
  }

  readonly callbacks = {
    data: (_: unknown, bytes: Uint8Array, port: number, address: string): void =>
      this.handler.onDatagram(bytes, address, port),
    error: (error: Error): void => {
      // Without connection it does not say whose end it is, and Node would not report it.
      if (this.isConnected) this.handler.onFault(faultOf(error, true))
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
    // To a single peer there is seldom more than one.
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
        // Fewer without an error: the queue is full, or the next datagram is at fault, which sending it again tells.
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
    const fault = faultOf(error, this.isConnected)
    // An earlier datagram's end, which `error` hears of too; the one at hand has not been sent.
    if (fault.kind === "refused" && this.stolen++ < MAX_STOLEN_SENDS) return
    this.stolen = 0
    const [, port, address] = this.waiting.splice(0, this.width)
    // Without connection it is still somebody else's end: this datagram is lost, and its receiver not to blame.
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
        const { bind, connect, family, keepsProcess } = options
        const handle = new BunSocket(options, handler)
        const socket = await udpSocket({
          hostname: bind?.address ?? WILDCARD[family],
          port: bind?.port ?? 0,
          binaryType: "uint8array",
          socket: handle.callbacks,
          ...(family === 6 ? { flags: IPV6_ONLY } : {}),
          ...(connect === undefined ? {} : { connect: { hostname: connect.address, port: connect.port } })
        })
        if (keepsProcess !== true) socket.unref()
        return handle.attach(socket)
      },
      catch: openFailed
    }),
    (socket) => Effect.sync(() => socket.close())
  )

/** UDP of Bun with a system call per datagram, which is all that clients ask for. */
export const unbatched: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, { open, resolve })

/** UDP of Bun. */
export const layer: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, {
  open: /* @__PURE__ */ batched("bun", open),
  resolve
})
