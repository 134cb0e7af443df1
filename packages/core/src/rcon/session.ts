/** What the sessions of all engines have in common, and look like to the one API over them. */
import { type Encoding, EncodeError } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { InvalidOption } from "../client/Options.ts"
import { type QueryError, ConnectionClosed } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import { Deadline, type TimeLimits } from "./deadline.ts"
import type { RconEngine } from "./options.ts"

/** How a command, or the attempt to log in, can end. */
export type RconError = EncodeError | InvalidOption | QueryError

/** Where the parts of one reply go, and its end. Nothing is called after the end. */
export interface ReplySink {
  readonly onPart: (bytes: Uint8Array) => void
  readonly onEnd: (error?: RconError) => void
}

/** Why a command or password cannot be sent. */
export const unsendable = (field: "command" | "password", message: string): EncodeError =>
  new EncodeError({ message, messageTag: "RconRequest", field })

/**
 * Bytes of a command or password. `field` names it in the error; the text itself never stands there, since commands may hold
 * passwords as well (`sv_password …`).
 */
export const encodeWords = (
  text: string,
  encoding: Encoding,
  field: "command" | "password"
): Result.Result<Uint8Array, EncodeError> => {
  const fail = (message: string) => Result.fail(unsendable(field, message))
  if (typeof text !== "string") return fail(`The ${field} must be a text.`)
  if (text.includes("\0")) return fail(`The ${field} contains a NUL character, which RCON cannot send.`)
  // Servers run what follows a line break as a command of its own, which nobody may have meant to send.
  if (field === "command" && /[\r\n]/.test(text)) {
    return fail("The command contains a line break. Send one command per line.")
  }
  const bytes = encodeText(text, encoding)
  return bytes === undefined
    ? fail(`The ${field} contains a character that ${encoding === "auto" ? "utf-8" : encoding} cannot encode.`)
    : Result.succeed(bytes)
}

/** A command that waits to be sent. */
interface Queued {
  readonly command: Uint8Array
  readonly limits: TimeLimits
  readonly sink: ReplySink
  /** Since when it waits without a connection. */
  waitingSince: number
}

/** Opens a connection or a socket. The returned function gives it up, at any stage. */
export type Opener<Handler, Handle, E> = (
  handler: Handler,
  onOpen: (handle: Handle) => void,
  onFail: (error: E) => void
) => () => void

/** Makes a callback of a connection that is heard only while the connection is the session's; the session goes on after it. */
type Heard = <A extends ReadonlyArray<unknown>>(act: (...given: A) => void) => (...given: A) => void

/** Commands that wait and such that are under way, over one connection or socket at a time, with one timer. No Effect runs here. */
export abstract class Session<Handle = unknown> {
  /** What the server speaks. */
  abstract readonly engine: RconEngine
  protected readonly timing: Timing
  protected queue: Array<Queued> = []
  /** Where replies go, by ticket. */
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

  /** Moves what can move: commands and packets out, events to their sinks. Tells whether there were events. */
  protected abstract step(): boolean
  /** When {@link expire} wants to be called. */
  protected abstract get deadline(): number
  protected abstract expire(now: number): void
  /** Forgets a command that is under way. */
  protected abstract cancel(ticket: number): void

  /** Shows the password; `sink` ends with the verdict. Once, before any command. */
  abstract logIn(sink: ReplySink): void

  /** Queues a command that was made by {@link encodeWords}; several may be under way. The returned function gives it up. */
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

  /** Ends the session; whatever is under way or waiting ends with `ConnectionClosed`. */
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

  /** A command that was under way has ended. */
  protected finish(ticket: number, error?: RconError): void {
    const sink = this.active.get(ticket)
    this.active.delete(ticket)
    sink?.onEnd(error)
  }

  /** Whether a connection or socket is open, or being opened. */
  protected get isConnecting(): boolean {
    return this.giveUp !== undefined
  }

  /** Opens a connection or socket, by an {@link Opener}. */
  protected connect(open: (heard: Heard) => () => void): void {
    let isCurrent = true
    let close = (): void => {}
    // Set first: it may fail, or open, before it returns.
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

  /** Gives the connection or socket up. */
  protected drop(): void {
    this.giveUp?.()
    this.giveUp = this.handle = undefined
  }

  protected pump(): void {
    // Sinks may call back into the session, and a transport may open, fail or even receive before it returns: the loop below
    // goes round once more for what that changed.
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
