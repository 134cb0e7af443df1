/**
 * Whose turn it is to ask: one query per server at a time, since replies carry no number by which two could be told apart, and some
 * servers at once. As long as there are few calls, each has its turn when it comes; from the first that has to wait on, who comes when
 * is the matter of `waitingLine.ts`.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import type { ConnectionClosed } from "../engine/QueryError.ts"
import { clientClosed } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import { FIRST_WINDOW } from "../Limits.ts"
import type { Turn } from "./waitingLine.ts"
import { WaitingLine } from "./waitingLine.ts"

/** Gives turns. */
export class Admission {
  private readonly timing: Timing
  private readonly room: () => number
  /** Those who ask, by server, while nobody had to wait. */
  private readonly asking = new Map<number | string, Turn>()
  private line: WaitingLine | undefined = undefined
  private isClosed = false

  /** `room` is how many sockets there are for, where that is less than are asked at once. */
  constructor(timing: Timing, room: () => number) {
    this.timing = timing
    this.room = room
  }

  /** Runs `use` when it is its turn to ask that server. */
  inTurn<A, E>(server: number | string, use: Effect.Effect<A, E>): Effect.Effect<A, E | ConnectionClosed> {
    return Effect.suspend(() => {
      let turn: Turn | undefined
      const come = Effect.suspend((): Effect.Effect<void, ConnectionClosed> => {
        const { asking, room, timing } = this
        if (this.isClosed) return Effect.fail(clientClosed())
        if (this.line === undefined && !asking.has(server) && asking.size < Math.min(FIRST_WINDOW, room())) {
          turn = { server, onTurn: () => {}, startedAt: timing.now() }
          asking.set(server, turn)
          return Effect.void
        }
        const line = (this.line ??= new WaitingLine(timing, room, asking.values()))
        return Effect.callback((resume) => {
          turn = { server, onTurn: (isOpen) => resume(isOpen ? Effect.void : Effect.fail(clientClosed())) }
          line.enter(turn)
        })
      })
      return Effect.ensuring(
        Effect.andThen(come, use),
        Effect.sync(() => turn !== undefined && this.leave(turn))
      )
    })
  }

  private leave(turn: Turn): void {
    if (this.line === undefined) this.asking.delete(turn.server)
    else this.line.leave(turn)
  }

  /** A server answered what it was asked at `startedAt`. `wasRepeated`: not to the first transmission of the question. */
  onAnswer(startedAt: number, wasRepeated: boolean): void {
    this.line?.onAnswer(startedAt, wasRepeated)
  }

  /** Nobody gets a turn any more; those who ask go on. */
  close(): void {
    this.isClosed = true
    this.line?.close()
  }
}
