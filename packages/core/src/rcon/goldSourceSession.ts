/**
 * An RCON session over UDP: commands one after the other through {@link GoldSourceMachine}. A plain class; sockets, time and the
 * address are handed in.
 *
 * Replies carry no number. So that a late part of one is never taken for the next one's, a command that was given up, ran out of
 * time or needed an echo costs the socket: the next command asks from a new port.
 */
import { EncodeError } from "@sourcewire/protocol"
import { canonicalAddress } from "../address/Address.ts"
import type { DatagramHandle, DatagramHandler, Endpoint } from "../engine/Datagrams.ts"
import { ConnectionClosed } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import { Deadline } from "./deadline.ts"
import { type Dialect, GoldSourceMachine } from "./goldSourceMachine.ts"
import { QuietRule } from "./quietRule.ts"
import type { CommandRunner, RconError, ReplySink, TimeLimits } from "./session.ts"
import { type RconTrace, DatagramTrace } from "./trace.ts"

/** Opens one socket to the server. The returned function closes it, at any stage. */
export type OpenSocket = (
  handler: DatagramHandler,
  onOpen: (socket: DatagramHandle) => void,
  onFail: (error: RconError) => void
) => () => void

interface Queued {
  /** None for the log-in. */
  readonly command: Uint8Array | undefined
  readonly limits: TimeLimits
  readonly sink: ReplySink
}

/** Commands over UDP. */
export class GoldSourceSession implements CommandRunner {
  readonly #openSocket: OpenSocket
  readonly #timing: Timing
  readonly #deadline: Deadline
  readonly #remote: Endpoint
  readonly #trace: DatagramTrace | undefined
  readonly #machine: GoldSourceMachine
  #queue: Array<Queued> = []
  #current: Queued | undefined
  #socket: DatagramHandle | undefined
  #closeSocket: (() => void) | undefined
  #ended: RconError | undefined
  #pumping = false
  #pumpAgain = false

  constructor(options: {
    readonly openSocket: OpenSocket
    readonly timing: Timing
    /** Numeric. */
    readonly remote: Endpoint
    readonly password: Uint8Array
    readonly dialect: Dialect
    readonly trace: RconTrace | undefined
  }) {
    this.#openSocket = options.openSocket
    this.#timing = options.timing
    this.#deadline = new Deadline(options.timing, () => {
      this.#machine.expire(this.#timing.now())
      this.#pump()
    })
    this.#remote = options.remote
    const { dialect, password, trace } = options
    const now = () => this.#timing.now()
    this.#trace = trace === undefined ? undefined : new DatagramTrace({ trace, password, now })
    this.#machine = new GoldSourceMachine({ password, dialect, quiet: new QuietRule() })
  }

  /** Shows the password; `sink` ends with the verdict. */
  logIn(limits: TimeLimits, sink: ReplySink): void {
    this.#enqueue({ command: undefined, limits, sink })
  }

  /** Queues a command. The returned function gives it up. */
  exec(command: Uint8Array, limits: TimeLimits, sink: ReplySink): () => void {
    if (command.includes(10) || command.includes(13)) {
      const message = "The command holds a line end, where the server would stop reading it."
      sink.onEnd(new EncodeError({ message, messageTag: "RconRequest", field: "command" }))
      return () => {}
    }
    const queued: Queued = { command, limits, sink }
    this.#enqueue(queued)
    return () => {
      this.#queue = this.#queue.filter((other) => other !== queued)
      if (this.#current !== queued) return
      this.#current = undefined
      this.#machine.cancel()
      this.#dropSocket()
      this.#pump()
    }
  }

  /** Ends the session; whatever is under way or waiting ends with `ConnectionClosed`. */
  close(): void {
    if (this.#ended !== undefined) return
    const error = new ConnectionClosed({ message: "The RCON session was closed." })
    this.#ended = error
    const waiting = this.#current === undefined ? this.#queue : [this.#current, ...this.#queue]
    this.#current = undefined
    this.#queue = []
    this.#machine.cancel()
    this.#deadline.clear()
    this.#dropSocket()
    for (const { sink } of waiting) sink.onEnd(error)
  }

  #enqueue(queued: Queued): void {
    if (this.#ended !== undefined) return queued.sink.onEnd(this.#ended)
    this.#queue.push(queued)
    return this.#pump()
  }

  #connect(): void {
    let current = true
    this.#closeSocket = () => {
      current = false
    }
    const close = this.#openSocket(
      {
        onDatagram: (bytes, address, port) => {
          if (!current || port !== this.#remote.port || canonicalAddress(address) !== this.#remote.address) return
          this.#trace?.received(bytes)
          this.#machine.receive(bytes, this.#timing.now())
          this.#pump()
        },
        onFault: (fault) => {
          if (!current) return
          this.#machine.fault(fault.kind, fault.message)
          this.#pump()
        }
      },
      (socket) => {
        if (!current) return
        this.#socket = socket
        this.#pump()
      },
      (error) => {
        if (!current) return
        this.#dropSocket()
        this.#queue.shift()?.sink.onEnd(error)
        this.#pump()
      }
    )
    if (!current) return close()
    this.#closeSocket = () => {
      current = false
      close()
    }
    return undefined
  }

  #pump(): void {
    if (this.#ended !== undefined) return
    // Sinks may call back into the session, and a transport may open, fail or even receive before it returns: the loop below
    // goes round once more for what that changed.
    this.#pumpAgain = true
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.#pumpAgain) {
        this.#pumpAgain = false
        this.#startNext()
        this.#send()
        if (this.#dispatch()) this.#pumpAgain = true
      }
      this.#deadline.set(this.#machine.deadline)
    } finally {
      this.#pumping = false
    }
  }

  #startNext(): void {
    if (this.#current !== undefined || this.#queue.length === 0) return undefined
    if (this.#socket === undefined) return this.#closeSocket === undefined ? this.#connect() : undefined
    this.#current = this.#queue.shift()!
    const { command, limits } = this.#current
    const now = this.#timing.now()
    return command === undefined ? this.#machine.logIn(limits, now) : this.#machine.start(command, limits, now)
  }

  #send(): void {
    for (const datagram of this.#machine.takeDatagrams()) {
      this.#trace?.sent(datagram)
      this.#socket?.send(datagram, this.#remote.address, this.#remote.port)
    }
  }

  #dispatch(): boolean {
    const events = this.#machine.takeEvents()
    for (const event of events) {
      const current = this.#current
      if (event.kind === "part") {
        current?.sink.onPart(event.bytes)
        continue
      }
      this.#current = undefined
      if (event.mayTrail) this.#dropSocket()
      current?.sink.onEnd(event.error)
    }
    return events.length > 0
  }

  #dropSocket(): void {
    this.#machine.forgetChallenge()
    this.#closeSocket?.()
    this.#closeSocket = undefined
    this.#socket = undefined
  }
}
