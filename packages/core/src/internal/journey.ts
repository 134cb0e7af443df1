/**
 * An exchange under way: where it goes, on which socket, when it is due, who waits behind it.
 *
 * @module
 */
import type { Exchange } from "../Exchange.ts"
import type { Timed } from "./timerHeap.ts"

/** State of the engine for one exchange; only the engine changes it. */
export class Journey<Socket> implements Timed {
  dueAt = 0
  heapIndex = -1
  /** The first datagram has gone out. */
  started = false
  done = false
  /** Next in line for the same address. */
  next: Journey<Socket> | undefined = undefined
  readonly socket: Socket
  readonly exchange: Exchange<unknown, unknown>
  readonly address: string
  readonly port: number
  readonly onDone: () => void

  constructor(socket: Socket, exchange: Exchange<unknown, unknown>, address: string, port: number, onDone: () => void) {
    this.socket = socket
    this.exchange = exchange
    this.address = address
    this.port = port
    this.onDone = onDone
  }
}
