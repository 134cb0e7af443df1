/**
 * A session of Source RCON. The session uses one connection at a time, with a {@link SourceMachine} for each connection. The session is a
 * plain class without Effect. The caller passes the clock, the source of jitter, and the function that opens connections.
 *
 * A command is sent at most once. If the connection is lost, the commands in flight end with `ConnectionClosed`, because the server may
 * have executed them. Commands that have not been sent wait for the next connection. The session opens a new connection only if a command
 * needs a connection. If the connection cannot be opened, the session retries with increasing delays and jitter, until the `timeoutMs` of
 * the waiting command has passed. After a refused password, the session does not log in again, because servers ban addresses for repeated
 * failures.
 */
import { encodePacket } from "@sourcewire/protocol/wire"
import type { InvalidOption } from "../client/Options.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { StreamHandle, StreamHandler } from "../engine/Streams.ts"
import type { Timing } from "../engine/Timing.ts"
import { notSent, reconnectTimeout } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { type Opener, type ReplySink, Session } from "./session.ts"
import { QuietRule } from "./quietRule.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import { SourceMachine } from "./sourceMachine.ts"
import { ConnectionTrace } from "./trace.ts"

/**
 * Pauses between attempts to connect, in ms: the first pause, and the longest pause. After a lost connection, the first attempt follows at
 * once, and the first pause precedes the second attempt. Each further pause is twice as long as the pause before, up to the longest pause.
 * Each pause is lengthened or shortened at random by up to half of its length.
 */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5000

/** Ticket of the log-in. No command has this ticket. */
const LOG_IN = 0

export interface SourceSessionOptions extends Omit<ResolvedOptions, "encoding" | "engine" | "totalTimeoutMs"> {
  readonly dial: Opener<StreamHandler, StreamHandle, QueryError>
  readonly timing: Timing
}

/** A session over TCP. */
export class SourceSession extends Session<StreamHandle> {
  readonly engine = "source"
  readonly #options: SourceSessionOptions
  private readonly quiet = new QuietRule()
  private trace: ConnectionTrace | undefined
  private machine: SourceMachine | undefined
  private lastError: QueryError | undefined
  private failures = 0
  private redialAt = Number.POSITIVE_INFINITY

  constructor(options: SourceSessionOptions) {
    super(options.timing)
    this.#options = options
  }

  logIn(sink: ReplySink): void {
    this.active.set(LOG_IN, sink)
    this.dial()
    this.pump()
  }

  private dial(): void {
    this.redialAt = Number.POSITIVE_INFINITY
    const { dial, password, trace } = this.#options
    const now = () => this.timing.now()
    this.trace = trace === undefined ? undefined : new ConnectionTrace({ trace, password, now })
    this.connect((whileCurrent) =>
      dial(
        {
          onData: whileCurrent((bytes) => {
            this.trace?.received(bytes)
            this.machine?.receive(bytes, now())
          }),
          onClose: whileCurrent((fault) => this.machine?.disconnected(fault?.message ?? "closed by the server"))
        },
        whileCurrent((stream) => {
          this.handle = stream
          this.machine = new SourceMachine({ ...this.#options, quiet: this.quiet }, now())
        }),
        whileCurrent((error) => this.lost(error))
      )
    )
  }

  protected step(): boolean {
    if (this.queue.length > 0 && !this.isConnecting && this.redialAt === Number.POSITIVE_INFINITY) this.dial()
    while (this.machine !== undefined && this.queue.length > 0 && this.machine.room > 0) {
      const { command, limits, sink } = this.queue.shift()!
      this.active.set(this.machine.submit(command, limits, this.timing.now()), sink)
    }
    const packets = this.machine?.takePackets() ?? []
    for (const packet of packets) this.trace?.sent(packet)
    if (packets.length > 0) this.handle?.write(concatBytes(packets.map(encodePacket)))
    return this.dispatch()
  }

  private dispatch(): boolean {
    const events = this.machine?.takeEvents() ?? []
    for (const event of events) {
      switch (event.kind) {
        case "ready":
          this.failures = 0
          this.finish(LOG_IN)
          break
        case "part":
          this.active.get(event.ticket)?.onPart(event.bytes)
          break
        case "ended":
          this.finish(event.ticket, event.error)
          break
        case "broken":
          this.lost(event.error)
      }
    }
    return events.length > 0
  }

  protected cancel(ticket: number): void {
    this.machine?.cancel(ticket)
  }

  protected override drop(): void {
    this.trace?.ended()
    this.machine = undefined
    super.drop()
  }

  /** Called when the connection was lost, or could not be opened. */
  private lost(error: QueryError): void {
    this.drop()
    // The first error after a successful log-in ends only the commands in flight. If a waiting command fails later, its error has another
    // reason.
    this.lastError = this.failures === 0 ? undefined : error
    if (this.active.has(LOG_IN) || error._tag === "AuthenticationFailed") return this.end(error)
    // The commands in flight have already ended with `error`. Waiting and later commands were never sent.
    if (!this.#options.reconnect) return this.end(notSent())
    const now = this.timing.now()
    let pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1))
    try {
      pause *= 0.5 + this.#options.random()
    } catch (error) {
      // The option `random` threw this `InvalidOption`.
      return this.end(error as InvalidOption)
    }
    // After the first loss of a working connection, retry at once, because one loss does not mean that the server is down.
    if (this.queue.length > 0) this.redialAt = this.failures === 0 ? now : now + pause
    if (this.failures === 0) for (const queued of this.queue) queued.waitingSince = now
    this.failures += 1
    return undefined
  }

  protected get deadline(): number {
    let deadline = Math.min(this.redialAt, this.machine?.deadline ?? Number.POSITIVE_INFINITY)
    if (this.handle === undefined) {
      for (const { limits, waitingSince } of this.queue) deadline = Math.min(deadline, waitingSince + limits.timeoutMs)
    }
    return deadline
  }

  protected expire(now: number): void {
    this.machine?.expire(now)
    if (this.handle === undefined) {
      const late = this.queue.filter(({ limits, waitingSince }) => now >= waitingSince + limits.timeoutMs)
      this.queue = this.queue.filter((queued) => !late.includes(queued))
      if (this.queue.length === 0) this.redialAt = Number.POSITIVE_INFINITY
      for (const { limits, sink } of late) sink.onEnd(this.lastError ?? reconnectTimeout(limits.timeoutMs))
    }
    if (now >= this.redialAt) this.dial()
  }
}
