/**
 * The `Datagrams` service for Deno: UDP over `Deno.listenDatagram`. The service needs `--unstable-net` and `--allow-net`.
 *
 * Deno has no connected UDP sockets. Therefore, if a socket is opened with `connect`, this module drops the datagrams from all senders
 * except the peer in `connect`. Deno also does not report ICMP port unreachable: a query to a closed port ends with `Timeout` on Deno, and
 * with `PortClosed` on Node and Bun. (`node:dgram` on Deno does not report closed ports either, and takes forty times as long per round
 * trip as this module.) Deno cannot set the sizes of the kernel's queues.
 */
import { Datagrams, toSocketFault, openFailed } from "@sourcewire/core/transport"
import type { DatagramHandle, DatagramHandler, Family, OpenOptions, SocketFault } from "@sourcewire/core/transport"
import { batched, resolve } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatagramConn, NetAddr } from "./internal/runtime.ts"
import { listenDatagram } from "./internal/runtime.ts"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

/** Maximum size of a datagram, in bytes: UDP's length field has 16 bits. */
const MAX_DATAGRAM_BYTES = 65_535

/** Prefix of the address that Deno reports if an IPv6 socket receives a datagram over IPv4. This module drops such datagrams. */
const MAPPED_IPV4 = "::ffff:"

const udp = (hostname: string, port: number): NetAddr => ({ transport: "udp", hostname, port })

/**
 * Stores the zones of the link-local addresses to which a socket sends. Deno reports a sender without its zone, and this class adds the
 * zone.
 */
class Zones {
  private readonly known = new Map<string, string>()

  note(address: string): void {
    const percent = address.indexOf("%")
    if (percent === -1) return
    this.known.set(address.slice(0, percent), address)
    if (this.known.size > MAX_ZONES) this.known.delete(this.known.keys().next().value!)
  }

  of(address: string): string {
    return this.known.size === 0 ? address : (this.known.get(address) ?? address)
  }
}

/** Maximum number of addresses whose zones a socket stores. */
const MAX_ZONES = 4096

/** Maximum number of datagrams that wait to be sent. Further datagrams are dropped, as on a slow network. */
const MAX_WAITING = 4096

/**
 * Returns the fault for an error of Deno's `send`. If Deno cannot look up the zone of an address, Deno's error does not name the zone.
 * Therefore this function writes its own message, which names the zone.
 */
const sendFault = (error: unknown, hostname: string): SocketFault => {
  const [, zone] = hostname.split("%")
  return zone !== undefined && /lookup/.test(String(error))
    ? { kind: "failed", message: `This host has no network interface ${zone}.` }
    : toSocketFault(error)
}

/**
 * An open socket. One loop receives all datagrams into the same buffer, and another loop sends datagrams one after the other. Parallel
 * sends could change the order of the datagrams.
 */
class DenoSocket implements DatagramHandle {
  readonly local: DatagramHandle["local"]
  private readonly conn: DatagramConn
  private readonly handler: DatagramHandler
  private readonly only: OpenOptions["connect"]
  private readonly receiving: Promise<void>
  private waiting: Array<{ readonly bytes: Uint8Array; readonly to: NetAddr }> = []
  private sending: Promise<void> | undefined
  private isClosed = false
  private readonly zones = new Zones()

  constructor(conn: DatagramConn, options: OpenOptions, handler: DatagramHandler) {
    this.local = { address: conn.addr.hostname, port: conn.addr.port }
    this.conn = conn
    this.handler = handler
    this.only = options.connect
    if (options.keepsProcessAlive !== true) conn.unref()
    this.receiving = this.receive()
  }

  readonly send: DatagramHandle["send"] = (bytes, address, port) => {
    if (this.isClosed || this.waiting.length >= MAX_WAITING) return
    const { only } = this
    this.zones.note(only?.address ?? address)
    this.waiting.push({ bytes, to: only === undefined ? udp(address, port) : udp(only.address, only.port) })
    this.sending ??= this.sendAll()
  }

  /**
   * Sends the queued datagrams, closes the socket, and waits until the pending `receive` has ended. This method calls `ref`, because the
   * program could otherwise exit before the socket is closed.
   */
  async close(): Promise<void> {
    await this.sending
    this.isClosed = true
    this.conn.ref()
    this.conn.close()
    await this.receiving
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const all = this.waiting
      this.waiting = []
      for (const { bytes, to } of all) {
        try {
          await this.conn.send(bytes, to)
        } catch (error) {
          const fault = sendFault(error, to.hostname)
          this.handler.onFault({ ...fault, peer: { address: to.hostname, port: to.port } })
        }
      }
    }
    this.sending = undefined
  }

  private async receive(): Promise<void> {
    const buffer = new Uint8Array(MAX_DATAGRAM_BYTES)
    const { only } = this
    while (!this.isClosed) {
      try {
        // Destructuring the result would create an iterator for each datagram.
        const received = await this.conn.receive(buffer)
        const bytes = received[0]
        const { port } = received[1]
        const hostname = this.zones.of(received[1].hostname)
        if (this.isClosed) return
        if (only === undefined ? !hostname.startsWith(MAPPED_IPV4) : hostname === only.address && port === only.port) {
          this.handler.onDatagram(bytes, hostname, port)
        }
      } catch (error) {
        if (this.isClosed) return
        const fault = toSocketFault(error)
        this.handler.onFault(fault)
        // On Windows, this error means that a peer refused a datagram, and the socket still works. After all other errors, the socket no
        // longer works.
        if (fault.code !== "ECONNRESET") return
      }
    }
  }
}

const listen = ({ bind, family }: OpenOptions): DatagramConn => {
  if (listenDatagram === undefined) {
    throw new Error("it requires Deno and --unstable-net")
  }
  return listenDatagram(udp(bind?.address ?? WILDCARD[family], bind?.port ?? 0))
}

const open = (options: OpenOptions, handler: DatagramHandler) =>
  Effect.acquireRelease(
    // Deno opens sockets synchronously. This function is asynchronous, because the other runtimes open sockets asynchronously.
    Effect.tryPromise({
      try: async () => new DenoSocket(listen(options), options, handler),
      catch: openFailed
    }),
    (socket) => Effect.promise(() => socket.close())
  )

/** UDP of Deno with one system call per datagram. Clients send few datagrams, and do not need batched system calls. */
export const unbatched: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, { open, resolve })

/** UDP of Deno. The IPv4 sockets of scans use batched system calls, if the C library can be called. */
export const layer: Layer.Layer<Datagrams> = /* @__PURE__ */ Layer.succeed(Datagrams, {
  open: /* @__PURE__ */ batched("deno", open),
  resolve
})
