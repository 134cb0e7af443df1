/**
 * An RCON session over UDP. The session runs one command at a time, as a {@link GoldSourceExchange}. The session is a plain class without
 * Effect. The caller passes the server's address, the clock, and the function that opens sockets.
 *
 * A reply does not show to which command it belongs, so a late part of one reply could be mistaken for a part of the next reply. Therefore
 * the session closes the socket after a command that was cancelled, that failed, or after which the exchange sent an echo. The next command
 * then uses a new source port.
 */
import * as Result from "effect/Result"
import { canonicalAddress } from "../address/ipv6.ts"
import type { DatagramHandle, DatagramHandler, Endpoint } from "../engine/Datagrams.ts"
import type { Timing } from "../engine/Timing.ts"
import { Step } from "../engine/Exchange.ts"
import { type Dialect, GoldSourceConsole, GoldSourceExchange } from "./GoldSourceExchange.ts"
import { udpFault } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { QuietRule } from "./quietRule.ts"
import type { TimeLimits } from "./deadline.ts"
import { type Opener, type RconError, type ReplySink, Session, unsendable } from "./session.ts"
import { DatagramTrace } from "./trace.ts"

/** Marks the log-in in the queue: the `command` of its entry is this array. */
const LOG_IN = new Uint8Array(0)

/** Ticket of the only command in flight. */
const CURRENT = 0

/** The options of a session. The time limits are those of the log-in. */
export interface GoldSourceSessionOptions extends Pick<ResolvedOptions, "password" | "trace" | keyof TimeLimits> {
  readonly openSocket: Opener<DatagramHandler, DatagramHandle, RconError>
  readonly timing: Timing
  /** The numeric address and the port of the server. */
  readonly remote: Endpoint
  readonly engine: Dialect
}

export class GoldSourceSession extends Session<DatagramHandle> {
  readonly engine: Dialect
  private readonly options: GoldSourceSessionOptions
  private readonly trace: DatagramTrace | undefined
  private readonly console: GoldSourceConsole
  /** The command in flight. */
  private exchange: GoldSourceExchange | undefined = undefined
  /** Parts of the reply that were not passed to the sink of the command yet. */
  private parts: Array<Uint8Array> = []

  constructor(options: GoldSourceSessionOptions) {
    super(options.timing)
    this.options = options
    const { engine, password, timing, trace } = options
    this.engine = engine
    this.trace = trace === undefined ? undefined : new DatagramTrace({ trace, password, now: timing.now })
    this.console = new GoldSourceConsole({ password, dialect: engine, quiet: new QuietRule() })
  }

  logIn(sink: ReplySink): void {
    super.exec(LOG_IN, this.options, sink)
  }

  override exec(command: Uint8Array, limits: TimeLimits, sink: ReplySink): () => void {
    if (!command.includes(10) && !command.includes(13)) return super.exec(command, limits, sink)
    sink.onEnd(unsendable("command", "The command contains a line break. Send one command per line."))
    return () => {}
  }

  protected step(): boolean {
    if (this.active.size === 0 && this.queue.length > 0) {
      if (this.handle !== undefined) this.startNext()
      else if (!this.isConnecting) this.open()
    }
    const { parts } = this
    this.parts = []
    for (const part of parts) this.active.get(CURRENT)?.onPart(part)
    // If `onPart` has cancelled the command, there is no exchange.
    const result = this.exchange?.result
    if (result === undefined) return parts.length > 0
    this.exchange = undefined
    const error = Result.isFailure(result) ? result.failure : undefined
    if (Result.isFailure(result) || result.success.mayTrail) this.drop()
    this.finish(CURRENT, error)
    return true
  }

  private open(): void {
    const { openSocket, remote } = this.options
    this.connect((whileCurrent) =>
      openSocket(
        {
          onDatagram: whileCurrent((bytes, address, port) => {
            if (port !== remote.port || canonicalAddress(address) !== remote.address) return
            this.trace?.received(bytes)
            this.follow(this.exchange?.receive(bytes, this.timing.now()))
          }),
          onFault: whileCurrent((fault) => this.follow(this.exchange?.fail(udpFault(fault))))
        },
        whileCurrent((socket) => {
          this.handle = socket
        }),
        whileCurrent((error) => {
          this.drop()
          this.queue.shift()?.sink.onEnd(error)
        })
      )
    )
  }

  private startNext(): void {
    const { command, limits, sink } = this.queue.shift()!
    this.active.set(CURRENT, sink)
    const onPart = (part: Uint8Array): unknown => this.parts.push(part)
    const given = command === LOG_IN ? {} : { bytes: command }
    this.exchange = new GoldSourceExchange(this.console, { ...given, limits, onPart })
    this.follow(this.exchange.start(this.timing.now()))
  }

  /**
   * Sends the packet of the exchange if the exchange returned `Step.Send`. If the exchange has ended, the method {@link step} processes the
   * result of the exchange later.
   */
  private follow(step: Step | undefined): void {
    if (step !== Step.Send || this.exchange === undefined) return
    const { packet } = this.exchange
    const { address, port } = this.options.remote
    this.trace?.sent(packet)
    this.handle?.send(packet, address, port)
  }

  protected cancel(): void {
    this.drop()
  }

  protected get deadline(): number {
    return this.exchange?.deadline ?? Number.POSITIVE_INFINITY
  }

  protected expire(now: number): void {
    this.follow(this.exchange?.expire(now))
  }

  protected override drop(): void {
    this.exchange = undefined
    this.parts = []
    this.console.forgetChallenge()
    super.drop()
  }
}
