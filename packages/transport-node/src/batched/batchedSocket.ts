/**
 * A socket of a runtime that sends and receives most datagrams through the C library, with many datagrams per call. When datagrams arrive,
 * the runtime delivers the first datagram. This module then receives the other waiting datagrams through the C library. If the caller sends
 * several datagrams within one turn of the event loop, this module collects them and sends them together. If a batched call does not send a
 * datagram, this module passes the datagram to the runtime's own socket, which can wait and report errors.
 */
import type { DatagramHandle, DatagramHandler, OpenOptions, SocketFault } from "@sourcewire/core/transport"
import { Addresses } from "./addresses.ts"
import { countDrops, findDescriptor, Queue, sizeQueue } from "./descriptor.ts"
import { Messages } from "./messages.ts"
import type { SystemCalls } from "./systemCalls.ts"

/** Maximum number of datagrams per call. */
const BATCH = 64

/**
 * Maximum size of a datagram that is sent in a batch, in bytes. Requests need a few dozen bytes. If a datagram is longer than this limit,
 * it is sent separately.
 */
const OUTGOING_BYTES = 128

/**
 * Distance between the starts of two consecutive receive buffers, in bytes: the maximum size of a datagram plus an offset. Without the
 * offset, the starts of all buffers would compete for the same cache lines of the processor. If no datagram was ever written to a part of a
 * buffer, this part uses no physical memory.
 */
const INCOMING_BYTES = 65_536 + 192

/** Maximum number of consecutive receive calls. After these calls, the socket returns to the event loop, so that other tasks can run. */
const MOST_CALLS = 16

const MSG_DONTWAIT = 0x40

/**
 * The system calls, the receive buffers and the cached addresses, which all sockets share. Sockets can share the buffers, because each
 * socket processes the received datagrams before another socket receives.
 */
export class BatchedCalls {
  readonly calls: SystemCalls
  readonly incoming: Messages
  readonly addresses = new Addresses()

  constructor(calls: SystemCalls) {
    this.calls = calls
    this.incoming = new Messages(BATCH, INCOMING_BYTES, calls.getPointer)
  }
}

/** A batched socket. Open a plain socket with this object as its handler, then pass the plain socket to {@link attach}. */
export class BatchedSocket implements DatagramHandler {
  private readonly shared: BatchedCalls
  private readonly calls: SystemCalls
  private readonly handler: DatagramHandler
  private readonly outgoing: Messages
  private waiting = 0
  private isScheduled = false
  private fd = -1
  private plain: DatagramHandle | undefined

  constructor(shared: BatchedCalls, handler: DatagramHandler) {
    this.shared = shared
    this.calls = shared.calls
    this.handler = handler
    this.outgoing = new Messages(BATCH, OUTGOING_BYTES, shared.calls.getPointer)
  }

  /** Returns the handle for the caller: a batched handle, or `plain` if the file descriptor of the plain socket is not found. */
  attach(plain: DatagramHandle, options: OpenOptions): DatagramHandle {
    const { calls } = this
    const fd = findDescriptor(calls, plain.local)
    if (fd === undefined) return plain
    this.plain = plain
    this.fd = fd
    const receiveBufferBytes =
      plain.receiveBufferBytes ?? sizeQueue(calls, fd, Queue.receive, options.receiveBufferBytes)
    const sendBufferBytes = plain.sendBufferBytes ?? sizeQueue(calls, fd, Queue.send, options.sendBufferBytes)
    return {
      local: plain.local,
      countDropped: () => (this.fd === -1 ? 0 : countDrops(calls, fd)),
      send: this.send,
      ...(receiveBufferBytes === undefined ? {} : { receiveBufferBytes }),
      ...(sendBufferBytes === undefined ? {} : { sendBufferBytes })
    }
  }

  readonly send: DatagramHandle["send"] = (bytes, address, port) => {
    const number = this.shared.addresses.toNumber(address)
    if (this.fd === -1 || number === -1 || port < 1 || port > 65_535 || bytes.length > OUTGOING_BYTES) {
      this.flush()
      this.plain?.send(bytes, address, port)
      return
    }
    this.outgoing.write(this.waiting++, bytes, number, port)
    if (this.waiting === BATCH) this.flush()
    else if (!this.isScheduled) {
      this.isScheduled = true
      queueMicrotask(this.flushScheduled)
    }
  }

  onDatagram(bytes: Uint8Array, address: string, port: number): void {
    const { calls, handler } = this
    // Convert Node's `Buffer` to a plain `Uint8Array`: V8 optimizes the handler for one class, and the C library path below passes
    // `Uint8Array`.
    handler.onDatagram(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), address, port)
    const { addresses, incoming } = this.shared
    for (let i = 0; i < MOST_CALLS && this.fd !== -1; i++) {
      this.flush()
      const count = calls.recvmmsg(this.fd, incoming.headers, BATCH, MSG_DONTWAIT, null)
      for (let k = 0; k < count && this.fd !== -1; k++) {
        handler.onDatagram(incoming.received(k), addresses.toText(incoming.address(k)), incoming.port(k))
      }
      if (count < BATCH) return
    }
  }

  onFault(fault: SocketFault): void {
    this.handler.onFault(fault)
  }

  /** Sends the waiting datagrams, then forgets the descriptor. Close the plain socket only after this call. */
  close(): void {
    this.flush()
    this.fd = -1
  }

  private readonly flushScheduled = (): void => {
    this.isScheduled = false
    this.flush()
  }

  private flush(): void {
    const { outgoing, waiting } = this
    if (waiting === 0) return
    this.waiting = 0
    const sent = this.calls.sendmmsg(this.fd, outgoing.headers, waiting, MSG_DONTWAIT)
    // If some datagrams were not sent, either the system's send queue is full, or the system rejected the first unsent datagram. The
    // runtime's own socket then sends all unsent datagrams.
    for (let i = Math.max(0, sent); i < waiting; i++) {
      const address = this.shared.addresses.toText(outgoing.address(i))
      this.plain?.send(outgoing.written(i).slice(), address, outgoing.port(i))
    }
  }
}
