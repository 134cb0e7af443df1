/** The base class of all RCON sessions. The API calls only the methods of this class, so it works with every RCON protocol. */
import { type Encoding, EncodeError } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { InvalidOption } from "../client/Options.ts"
import { type QueryError, ConnectionClosed } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import { Deadline, type TimeLimits } from "./deadline.ts"
import type { RconEngine } from "./options.ts"

/** The errors of commands and log-ins. */
export type RconError = EncodeError | InvalidOption | QueryError

/** Receives the parts of a reply, and the end of the reply. After the end, no function of the sink is called. */
export interface ReplySink {
  readonly onPart: (bytes: Uint8Array) => void
  readonly onEnd: (error?: RconError) => void
}

/** The error for a command or password that cannot be sent. */
export const unsendable = (field: "command" | "password", message: string): EncodeError =>
  new EncodeError({ message, messageTag: "RconRequest", field })

/**
 * Encodes a command or password. The error contains `field`, but not the text, because the text may contain a password, even if it is a
 * command (for example `sv_password`).
 */
export const encodeWords = (
  text: string,
  encoding: Encoding,
  field: "command" | "password"
): Result.Result<Uint8Array, EncodeError> => {
  const fail = (message: string) => Result.fail(unsendable(field, message))
  if (typeof text !== "string") return fail(`The ${field} must be a text.`)
  if (text.includes("\0")) return fail(`The ${field} contains a NUL character, which RCON cannot send.`)
  // Servers run the text after a line break as another command, which the user probably did not intend.
  if (field === "command" && /[\r\n]/.test(text)) {
    return fail("The command contains a line break. Send one command per line.")
  }
  const bytes = encodeText(text, encoding)
  return bytes === undefined
    ? fail(`The ${field} contains a character that ${encoding === "auto" ? "utf-8" : encoding} cannot encode.`)
    : Result.succeed(bytes)
}

/** A command that has not been sent yet. */
interface Queued {
  readonly command: Uint8Array
  readonly limits: TimeLimits
  readonly sink: ReplySink
  /** The time at which the command started to wait for a connection. */
  waitingSince: number
}

/** Opens a connection or a socket. The returned function closes the connection, or stops the attempt to open it. */
export type Opener<Handler, Handle, E> = (
  handler: Handler,
  onOpen: (handle: Handle) => void,
  onFail: (error: E) => void
) => () => void

/**
 * Wraps a callback of a connection. If the session no longer uses this connection, the callback is not called. After the callback, the
 * session sends all commands that can be sent.
 */
type WhileCurrent = <A extends ReadonlyArray<unknown>>(act: (...given: A) => void) => (...given: A) => void

/**
 * A session, with its waiting commands and its commands in flight. A session uses one connection or socket at a time, and one timer. The
 * class is plain code without Effects.
 */
export abstract class Session<Handle = unknown> {
  /** The protocol of the server. */
  abstract readonly engine: RconEngine
  protected readonly timing: Timing
  protected queue: Array<Queued> = []
  /** The sinks of the commands in flight, by ticket. */
  protected readonly active = new Map<number, ReplySink>()
  /** The connection or socket, once it is open. */
  protected handle: Handle | undefined
  protected ended: RconError | undefined
  private readonly timer: Deadline
  private giveUp: (() => void) | undefined
  private isPumping = false
  private pumpAgain = false

  constructor(timing: Timing) {
    this.timing = timing
    this.timer = new Deadline(timing, () => {
      this.expire(timing.now())
      this.pump()
    })
  }

  /**
   * Sends all commands and packets that can be sent now, and passes events to the sinks of the commands. Returns whether there were events.
   */
  protected abstract step(): boolean
  /** The time for the next call of {@link expire}. */
  protected abstract get deadline(): number
  protected abstract expire(now: number): void
  /** Cancels a command in flight. */
  protected abstract cancel(ticket: number): void

  /**
   * Sends the password. The session calls `sink.onEnd` when the log-in has succeeded or failed. This method must be called once, before any
   * command.
   */
  abstract logIn(sink: ReplySink): void

  /**
   * Queues a command that {@link encodeWords} has encoded. A Source session can have several commands in flight, but a session over UDP
   * only one. The returned function cancels the command.
   */
  exec(command: Uint8Array, limits: TimeLimits, sink: ReplySink): () => void {
    if (this.ended !== undefined) {
      sink.onEnd(this.ended)
      return () => {}
    }
    const queued: Queued = { command, limits, sink, waitingSince: this.timing.now() }
    this.queue.push(queued)
    this.pump()
    return () => {
      this.queue = this.queue.filter((other) => other !== queued)
      for (const [ticket, active] of this.active) {
        if (active !== sink) continue
        this.active.delete(ticket)
        this.cancel(ticket)
      }
      this.pump()
    }
  }

  /** Ends the session. Commands in flight and waiting commands end with `ConnectionClosed`. */
  close(): void {
    this.end(new ConnectionClosed({ message: "The RCON session was closed." }))
  }

  protected end(error: RconError): void {
    if (this.ended !== undefined) return
    this.ended = error
    this.drop()
    this.timer.clear()
    const sinks = [...this.active.values(), ...this.queue.map(({ sink }) => sink)]
    this.active.clear()
    this.queue = []
    for (const sink of sinks) sink.onEnd(error)
  }

  protected finish(ticket: number, error?: RconError): void {
    const sink = this.active.get(ticket)
    this.active.delete(ticket)
    sink?.onEnd(error)
  }

  /** Whether a connection or socket is open, or being opened. */
  protected get isConnecting(): boolean {
    return this.giveUp !== undefined
  }

  /** Opens a connection or socket with an {@link Opener}. */
  protected connect(open: (whileCurrent: WhileCurrent) => () => void): void {
    let isCurrent = true
    let close = (): void => {}
    // `giveUp` is set before `open` is called, because the opener can fail or succeed before it returns.
    this.giveUp = () => {
      isCurrent = false
      close()
    }
    close = open((act) => (...given) => {
      if (!isCurrent) return
      act(...given)
      this.pump()
    })
    if (!isCurrent) close()
  }

  /** Closes the connection or socket. */
  protected drop(): void {
    this.giveUp?.()
    this.giveUp = this.handle = undefined
  }

  protected pump(): void {
    // This method may be called again while it runs. For example, a sink may call the session, or a transport may fail or receive data
    // while the session calls the transport. In this case, the loop below runs once more.
    this.pumpAgain = true
    if (this.isPumping) return
    this.isPumping = true
    try {
      while (this.pumpAgain && this.ended === undefined) {
        this.pumpAgain = false
        if (this.step()) this.pumpAgain = true
      }
      if (this.ended === undefined) this.timer.set(this.deadline)
    } finally {
      this.isPumping = false
    }
  }
}
