/**
 * A socket of a runtime, of which the C library does most of the sending and receiving, many datagrams per call. The runtime wakes us up
 * with the first datagram that comes, and the others are fetched at once. What is sent within one turn leaves together. Whatever the
 * batched calls cannot do or do not take, the runtime's own socket does, which knows how to wait and how to report.
 */
import type { DatagramHandle, DatagramHandler, OpenOptions, SocketFault } from "@sourcewire/core/transport"
import { Addresses } from "./addresses.ts"
import { countDrops, findDescriptor, Queue, sizeQueue } from "./descriptor.ts"
import { Messages } from "./messages.ts"
import type { SystemCalls } from "./systemCalls.ts"

/** Datagrams per call. */
const BATCH = 64

/** Room for a datagram to be sent; requests need a few dozen bytes, and what is larger goes by itself. */
const OUTGOING_BYTES = 128

/**
 * Room for a datagram that arrives: the largest that there is, and more, so that their beginnings do not compete for the same lines of
 * the processor's cache. Memory that no datagram reached is never touched and takes none.
 */
const INCOMING_BYTES = 65_536 + 192

/** Calls in a row before others get their turn. */
const MOST_CALLS = 16

const MSG_DONTWAIT = 0x40

/** What all sockets share, since nothing stays in it between two turns. */
export class BatchedCalls {
  readonly calls: SystemCalls
  readonly incoming: Messages
  readonly addresses = new Addresses()

  constructor(calls: SystemCalls) {
    this.calls = calls
    this.incoming = new Messages(BATCH, INCOMING_BYTES, calls.pointerOf)
  }
}

/** Opened by opening a plain socket with it as handler, which is then given to {@link attach}. */
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
    this.outgoing = new Messages(BATCH, OUTGOING_BYTES, shared.calls.pointerOf)
  }

  /** The handle to use; the plain one where its descriptor is not to be found. */
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
    const number = this.shared.addresses.numberOf(address)
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
    // One kind of bytes, for which V8 compiles: Node's own are Buffers.
    handler.onDatagram(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), address, port)
    const { addresses, incoming } = this.shared
    for (let i = 0; i < MOST_CALLS && this.fd !== -1; i++) {
      this.flush()
      const count = calls.recvmmsg(this.fd, incoming.headers, BATCH, MSG_DONTWAIT, null)
      for (let k = 0; k < count && this.fd !== -1; k++) {
        handler.onDatagram(incoming.received(k), addresses.textOf(incoming.addressOf(k)), incoming.portOf(k))
      }
      if (count < BATCH) return
    }
  }

  onFault(fault: SocketFault): void {
    this.handler.onFault(fault)
  }

  /** Lets what waits leave, and leaves the descriptor alone from here on. */
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
    // Fewer than there were: the system's queue is full, or it does not take the next one.
    for (let i = Math.max(0, sent); i < waiting; i++) {
      const address = this.shared.addresses.textOf(outgoing.addressOf(i))
      this.plain?.send(outgoing.written(i).slice(), address, outgoing.portOf(i))
    }
  }
}
