/**
 * An exchange under way: where it goes, on which socket, when it is due, and what this machine's faults have cost it.
 *
 * @module
 */
import type { Exchange } from "./Exchange.ts"
import type { SendFailed } from "../query/QueryError.ts"
import type { Timed } from "./timerHeap.ts"

/** State of the engine for one exchange; only the engine changes it. */
export class Journey<Socket> implements Timed {
  dueAt = 0
  heapIndex = -1
  /** When the first datagram went out. */
  startedAt: number | undefined = undefined
  done = false
  /** Since when its clock stands still: what was sent last has not left this machine. */
  heldAt: number | undefined = undefined
  /** Time, in ms, that its clock is behind because of such faults. */
  lostMs = 0
  /** The last of them. */
  fault: SendFailed | undefined = undefined
  readonly socket: Socket
  readonly exchange: Exchange<unknown, unknown>
  readonly address: string
  readonly port: number
  readonly onDone: () => void
  /** How much may get lost that way, in ms. */
  readonly maxLostMs: number

  constructor(
    socket: Socket,
    exchange: Exchange<unknown, unknown>,
    address: string,
    port: number,
    onDone: () => void,
    maxLostMs: number
  ) {
    this.socket = socket
    this.exchange = exchange
    this.address = address
    this.port = port
    this.onDone = onDone
    this.maxLostMs = maxLostMs
  }

  /** The time on its own clock. */
  timeAt(now: number): number {
    return (this.heldAt ?? now) - this.lostMs
  }

  /** Its clock goes on. */
  resume(now: number): void {
    if (this.heldAt === undefined) return
    this.lostMs += now - this.heldAt
    this.heldAt = undefined
  }
}
