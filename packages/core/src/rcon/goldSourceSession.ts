/**
 * An RCON session over UDP: commands one after the other through {@link GoldSourceMachine}. A plain class; sockets, time and the
 * address are handed in.
 *
 * Replies carry no number. So that a late part of one is never taken for the next one's, a command that was given up, ran out of
 * time or needed an echo costs the socket: the next command asks from a new port.
 */
import { canonicalAddress } from "../address/ipv6.ts"
import type { DatagramHandle, DatagramHandler, Endpoint } from "../engine/Datagrams.ts"
import type { Timing } from "../engine/Timing.ts"
import { type Dialect, GoldSourceMachine } from "./goldSourceMachine.ts"
import type { ResolvedOptions } from "./options.ts"
import { QuietRule } from "./quietRule.ts"
import type { TimeLimits } from "./deadline.ts"
import { type Opener, type RconError, type ReplySink, Session, unsendable } from "./session.ts"
import { DatagramTrace } from "./trace.ts"

/** Stands for the log-in among the commands that wait. */
const LOG_IN = new Uint8Array(0)

/** Ticket of the one command that is under way. */
const CURRENT = 0

/** What a session needs; the limits are those of the log-in. */
export interface GoldSourceSessionOptions extends Pick<ResolvedOptions, "password" | "trace" | keyof TimeLimits> {
  readonly openSocket: Opener<DatagramHandler, DatagramHandle, RconError>
  readonly timing: Timing
  /** Numeric. */
  readonly remote: Endpoint
  readonly engine: Dialect
}

/** Commands over UDP. */
export class GoldSourceSession extends Session<DatagramHandle> {
  readonly engine: Dialect
  readonly #options: GoldSourceSessionOptions
  readonly #trace: DatagramTrace | undefined
  readonly #machine: GoldSourceMachine

  constructor(options: GoldSourceSessionOptions) {
    super(options.timing)
    this.#options = options
    const { engine, password, timing, trace } = options
    this.engine = engine
    this.#trace = trace === undefined ? undefined : new DatagramTrace({ trace, password, now: timing.now })
    this.#machine = new GoldSourceMachine({ password, dialect: engine, quiet: new QuietRule() })
  }

  logIn(sink: ReplySink): void {
    super.exec(LOG_IN, this.#options, sink)
  }

  override exec(command: Uint8Array, limits: TimeLimits, sink: ReplySink): () => void {
    if (!command.includes(10) && !command.includes(13)) return super.exec(command, limits, sink)
    sink.onEnd(unsendable("command", "The command contains a line break. Send one command per line."))
    return () => {}
  }

  protected step(): boolean {
    const { address, port } = this.#options.remote
    if (this.active.size === 0 && this.queue.length > 0) {
      if (this.handle !== undefined) this.#startNext()
      else if (!this.isConnecting) this.#open()
    }
    for (const datagram of this.#machine.takeDatagrams()) {
      this.#trace?.sent(datagram)
      this.handle?.send(datagram, address, port)
    }
    const events = this.#machine.takeEvents()
    for (const event of events) {
      if (event.kind === "part") this.active.get(CURRENT)?.onPart(event.bytes)
      else {
        if (event.mayTrail) this.drop()
        this.finish(CURRENT, event.error)
      }
    }
    return events.length > 0
  }

  #open(): void {
    const { openSocket, remote } = this.#options
    this.connect((heard) =>
      openSocket(
        {
          onDatagram: heard((bytes, address, port) => {
            if (port !== remote.port || canonicalAddress(address) !== remote.address) return
            this.#trace?.received(bytes)
            this.#machine.receive(bytes, this.timing.now())
          }),
          onFault: heard((fault) => this.#machine.fault(fault.kind, fault.message))
        },
        heard((socket) => {
          this.handle = socket
        }),
        heard((error) => {
          this.drop()
          this.queue.shift()?.sink.onEnd(error)
        })
      )
    )
  }

  #startNext(): void {
    const { command, limits, sink } = this.queue.shift()!
    this.active.set(CURRENT, sink)
    const now = this.timing.now()
    if (command === LOG_IN) this.#machine.logIn(limits, now)
    else this.#machine.start(command, limits, now)
  }

  protected cancel(): void {
    this.drop()
  }

  protected get deadline(): number {
    return this.#machine.deadline
  }

  protected expire(now: number): void {
    this.#machine.expire(now)
  }

  protected override drop(): void {
    this.#machine.cancel()
    super.drop()
  }
}
