/**
 * A machine's connections to the database. When the connections are cut, neither the machine nor the database is notified. Like TCP, a
 * connection retransmits its data after pauses, and each pause is twice as long as the pause before.
 */
import * as Effect from "effect/Effect"
import type { DatabaseServer, Done, LockSession, Outcome, Peer } from "./DatabaseServer.ts"
import type { Connection } from "./MemoryStore.ts"
import type { Machine, World } from "./World.ts"

/** Latency in one direction, in ms. */
const TRAVEL_MS = 1
/** The first and the longest pause before a retransmission, in ms. */
const FIRST_RESEND_MS = 200
const LAST_RESEND_MS = 120_000

/** The engine abandons a statement after this time. The source of this value is `withDeadline` in the engine's `SqlRunnerStorage`. */
const LOCK_DEADLINE = "2 seconds"

/** The connection of one machine to the database. */
export class Link implements Connection, Peer {
  readonly peer: Peer = this
  isCut = false
  private readonly world: World
  private readonly machine: Machine
  private readonly server: DatabaseServer
  private readonly waiting = new Set<(why: string) => void>()
  private session: LockSession | undefined = undefined

  constructor(world: World, machine: Machine, server: DatabaseServer) {
    this.world = world
    this.machine = machine
    this.server = server
    server.connect(this)
  }

  disconnect(why: string): void {
    for (const fail of this.waiting) fail(why)
  }

  readonly call = <A>(work: (done: Done<A>) => void): Effect.Effect<A, { readonly message: string }> =>
    Effect.callback((resume) => {
      let isOver = false
      const answer = (outcome: Outcome<A>): void => {
        this.waiting.delete(fail)
        this.send(() => {
          if (isOver) return
          isOver = true
          resume("value" in outcome ? Effect.succeed(outcome.value) : Effect.fail({ message: outcome.error }))
        }, this.machine)
      }
      const fail = (why: string): void => answer({ error: why })
      this.send(() => {
        // The caller has abandoned the call.
        if (isOver) return
        if (this.server.isUnavailable) return fail("connection refused")
        this.waiting.add(fail)
        work(answer)
      })
      return Effect.sync(() => {
        isOver = true
      })
    })

  /** Runs one statement. */
  readonly once = <A>(work: () => A): Effect.Effect<A, { readonly message: string }> =>
    this.call((done) => void this.server.timing.schedule(this.server.costs.statementMs, () => done({ value: work() })))

  /**
   * Runs one statement in the session that has the locks. If the statement fails or exceeds its time limit, the next statement uses a new
   * session.
   */
  readonly inSession = <A>(work: (session: LockSession) => A): Effect.Effect<A, unknown> =>
    Effect.suspend(() => {
      const session = (this.session ??= this.server.openSession(this))
      const replace = Effect.sync(() => {
        if (this.session !== session) return
        this.session = undefined
        this.send(() => this.server.close(session))
      })
      return this.call<A>((done) => {
        if (!session.isOpen) return done({ error: "terminating connection due to idle-session timeout" })
        this.server.use(session)
        this.server.timing.schedule(this.server.costs.statementMs, () =>
          done(session.isOpen ? { value: work(session) } : { error: "the connection was closed" })
        )
      }).pipe(
        Effect.timeout(LOCK_DEADLINE),
        Effect.onError(() => replace)
      )
    })

  private send(arrive: () => void, to?: Machine, resendMs = FIRST_RESEND_MS): void {
    if (this.machine.isDead) return
    if (!this.isCut) this.world.schedule(TRAVEL_MS, arrive, to)
    else this.world.schedule(resendMs, () => this.send(arrive, to, Math.min(2 * resendMs, LAST_RESEND_MS)))
  }
}
