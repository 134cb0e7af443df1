/**
 * A Source RCON session: commands over one connection at a time, made anew when it was lost. A plain class over
 * {@link SourceMachine}; connections, time and chance are handed in.
 *
 * A command is sent at most once. One that was under way when the connection broke ends with `ConnectionClosed`, since the
 * server may have carried it out; one that had not been sent yet waits for the next connection. A lost connection is made anew
 * only when a command wants it, after jittered pauses that grow, for as long as that command's `timeoutMs`. A refused password
 * ends the session for good: trying it again is how addresses get banned.
 */
import { encodePacket } from "@sourcewire/protocol/machines"
import { type QueryError, ConnectionClosed, Timeout } from "../engine/QueryError.ts"
import type { StreamHandle, StreamHandler } from "../engine/Streams.ts"
import type { Timing } from "../engine/Timing.ts"
import type { CommandRunner, ReplySink, TimeLimits } from "./session.ts"
import { Deadline } from "./deadline.ts"
import { QuietRule } from "./quietRule.ts"
import { concatBytes } from "./replyText.ts"
import { type Terminator, SourceMachine } from "./sourceMachine.ts"
import { type RconTrace, ConnectionTrace } from "./trace.ts"

/** Makes one connection. The returned function gives it up, at any stage. */
export type Dial = (
  handler: StreamHandler,
  onOpen: (stream: StreamHandle) => void,
  onFail: (error: QueryError) => void
) => () => void

/** First pause before a connection is tried again, and the longest; each is varied by half to either side. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

interface Queued {
  readonly command: Uint8Array
  readonly limits: TimeLimits
  readonly sink: ReplySink
  /** Since when it waits without a connection. */
  waitingSince: number
}

/** What a session needs. */
export interface SourceSessionOptions {
  readonly dial: Dial
  readonly timing: Timing
  /** In [0, 1). */
  readonly random: () => number
  readonly password: Uint8Array
  readonly terminator: Terminator
  /** Longest silence while the password's verdict is awaited. */
  readonly timeoutMs: number
  /** Whether a lost connection is made anew. */
  readonly reconnect: boolean
  readonly trace: RconTrace | undefined
}

/** Commands over TCP. */
export class SourceSession implements CommandRunner {
  readonly #options: SourceSessionOptions
  readonly #timing: Timing
  readonly #deadline: Deadline
  #connectionTrace: ConnectionTrace | undefined
  readonly #active = new Map<number, ReplySink>()
  #queue: Array<Queued> = []
  #opener: ReplySink | undefined
  #ended: QueryError | undefined
  #lastError: QueryError | undefined
  #failures = 0
  readonly #quiet = new QuietRule()
  #machine: SourceMachine | undefined
  #stream: StreamHandle | undefined
  #hangUp: (() => void) | undefined
  #redialAt = Number.POSITIVE_INFINITY
  #pumping = false

  constructor(options: SourceSessionOptions) {
    this.#options = options
    this.#timing = options.timing
    this.#deadline = new Deadline(options.timing, () => this.#expire())
  }

  /** Connects and shows the password; `sink` ends with the verdict. Once, before any command. */
  open(sink: ReplySink): void {
    this.#opener = sink
    this.#connect()
  }

  /** Queues a command. The returned function gives it up. */
  exec(command: Uint8Array, limits: TimeLimits, sink: ReplySink): () => void {
    if (this.#ended !== undefined) {
      sink.onEnd(this.#ended)
      return () => {}
    }
    const queued: Queued = { command, limits, sink, waitingSince: this.#timing.now() }
    this.#queue.push(queued)
    if (this.#machine === undefined && this.#hangUp === undefined && this.#redialAt === Number.POSITIVE_INFINITY) {
      if (this.#options.reconnect) this.#connect()
      else this.#end(new ConnectionClosed({ message: "The connection to the server was lost." }))
    }
    this.#pump()
    return () => {
      this.#queue = this.#queue.filter((other) => other !== queued)
      for (const [ticket, active] of this.#active) {
        if (active !== sink) continue
        this.#active.delete(ticket)
        this.#machine?.cancel(ticket)
      }
      this.#pump()
    }
  }

  /** Ends the session; whatever is under way or waiting ends with `ConnectionClosed`. */
  close(): void {
    this.#end(new ConnectionClosed({ message: "The RCON session was closed." }))
  }

  #connect(): void {
    this.#redialAt = Number.POSITIVE_INFINITY
    const { password, terminator, timeoutMs, trace } = this.#options
    const now = () => this.#timing.now()
    this.#connectionTrace = trace === undefined ? undefined : new ConnectionTrace({ trace, password, now })
    // Set first: a dial may fail, or open, before it returns.
    let current = true
    this.#hangUp = () => {
      current = false
    }
    const giveUp = this.#options.dial(
      {
        onData: (bytes) => {
          if (!current) return
          this.#connectionTrace?.received(bytes)
          this.#machine?.receive(bytes, this.#timing.now())
          this.#pump()
        },
        onClose: (fault) => {
          if (!current) return
          this.#machine?.disconnected(fault?.message ?? "closed by the server")
          this.#pump()
        }
      },
      (stream) => {
        if (!current) return
        this.#stream = stream
        this.#machine = new SourceMachine({ password, terminator, timeoutMs, quiet: this.#quiet }, now())
        this.#pump()
      },
      (error) => {
        if (current) this.#lost(error)
        this.#pump()
      }
    )
    if (!current) return giveUp()
    this.#hangUp = () => {
      current = false
      giveUp()
    }
    return undefined
  }

  /** Moves everything that can move: packets out, events to their sinks, commands into the machine, the timer. */
  #pump(): void {
    // A sink may call back into the session; the loop below sees what it did.
    if (this.#pumping) return
    this.#pumping = true
    try {
      let moved = true
      while (moved) {
        this.#submit()
        this.#send()
        moved = this.#dispatch()
      }
      this.#schedule()
    } finally {
      this.#pumping = false
    }
  }

  #submit(): void {
    while (this.#machine !== undefined && this.#queue.length > 0 && this.#machine.room > 0) {
      const { command, limits, sink } = this.#queue.shift()!
      this.#active.set(this.#machine.submit(command, limits, this.#timing.now()), sink)
    }
  }

  #send(): void {
    const packets = this.#machine?.takePackets() ?? []
    if (packets.length === 0) return
    for (const packet of packets) this.#connectionTrace?.sent(packet)
    this.#stream?.write(concatBytes(packets.map(encodePacket)))
  }

  #dispatch(): boolean {
    const events = this.#machine?.takeEvents() ?? []
    for (const event of events) {
      switch (event.kind) {
        case "ready":
          this.#failures = 0
          this.#lastError = undefined
          this.#opener?.onEnd()
          this.#opener = undefined
          break
        case "part":
          this.#active.get(event.ticket)?.onPart(event.bytes)
          break
        case "ended": {
          const sink = this.#active.get(event.ticket)
          this.#active.delete(event.ticket)
          sink?.onEnd(event.error)
          break
        }
        case "broken":
          this.#lost(event.error)
      }
    }
    return events.length > 0
  }

  #drop(): void {
    this.#connectionTrace?.ended()
    this.#hangUp?.()
    this.#hangUp = this.#machine = this.#stream = undefined
  }

  /** The connection, or the attempt to make one, is over. */
  #lost(error: QueryError): void {
    this.#drop()
    this.#lastError = error
    if (this.#ended !== undefined) return
    if (this.#opener !== undefined || error._tag === "AuthenticationFailed") return this.#end(error)
    if (!this.#options.reconnect) return this.#end(error)
    const now = this.#timing.now()
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures) * (0.5 + this.#options.random())
    // The first loss of a working connection says nothing about the server: try at once.
    if (this.#queue.length > 0) this.#redialAt = this.#failures === 0 ? now : now + pause
    if (this.#failures === 0) for (const queued of this.#queue) queued.waitingSince = now
    this.#failures += 1
    return undefined
  }

  #end(error: QueryError): void {
    if (this.#ended !== undefined) return
    this.#ended = error
    this.#redialAt = Number.POSITIVE_INFINITY
    this.#drop()
    this.#deadline.clear()
    const sinks = [...this.#active.values(), ...this.#queue.map((queued) => queued.sink)]
    if (this.#opener !== undefined) sinks.push(this.#opener)
    this.#active.clear()
    this.#queue = []
    this.#opener = undefined
    for (const sink of sinks) sink.onEnd(error)
  }

  #schedule(): void {
    if (this.#ended !== undefined) return
    let deadline = Math.min(this.#redialAt, this.#machine?.deadline ?? Number.POSITIVE_INFINITY)
    if (this.#stream === undefined) {
      for (const queued of this.#queue) deadline = Math.min(deadline, queued.waitingSince + queued.limits.timeoutMs)
    }
    this.#deadline.set(deadline)
  }

  #expire(): void {
    const now = this.#timing.now()
    this.#machine?.expire(now)
    if (this.#stream === undefined) {
      const late = this.#queue.filter((queued) => now >= queued.waitingSince + queued.limits.timeoutMs)
      this.#queue = this.#queue.filter((queued) => !late.includes(queued))
      if (this.#queue.length === 0) this.#redialAt = Number.POSITIVE_INFINITY
      for (const { limits, sink } of late) sink.onEnd(this.#lastError ?? this.#neverConnected(limits.timeoutMs))
    }
    if (now >= this.#redialAt) this.#connect()
    this.#pump()
  }

  #neverConnected(timeoutMs: number): Timeout {
    return new Timeout({
      message: `No connection to the server could be made anew within ${timeoutMs} ms.`,
      phase: "connect",
      sent: 0,
      received: 0
    })
  }
}
