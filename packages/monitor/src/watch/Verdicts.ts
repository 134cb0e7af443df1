/**
 * Findings about the servers of groups with `verdicts`: compares replies at intervals, sends a handshake request now and then, and stores
 * what changes. One instance does this for all, from the replies that the store has, because many findings need all servers at once. Every
 * instance reads which findings apply.
 */
import { connect, formatAddress } from "@sourcewire/core"
import type { ClientShape } from "@sourcewire/core/query"
import type { Datagrams } from "@sourcewire/core/transport"
import { HANDSHAKE_KINDS, KINDS, type Observation, Survey, handshakeForm } from "@sourcewire/verdict"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Plan } from "../config/Config.ts"
import type { Judgement, StoredFinding } from "../store/findings.ts"
import type { Store, StoreFailed } from "../store/Store.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { NewsFeed } from "./NewsFeed.ts"
import type { Answer, Watched } from "./Watched.ts"

/** Time between two comparisons. */
const ROUND = "5 minutes"
/** The first one comes sooner. Servers need a second reply before they have findings. */
const FIRST_ROUND = "70 seconds"
/** A finding ends when it was not found in three comparisons: a lost reply does not end it. */
const END_AFTER_MS = 12 * 60_000
/** Least time between the two replies that are compared. */
const APART_MS = 60_000

/** Time between two handshake requests to a server, and between its last query and a handshake request. */
const HANDSHAKE_MS = 6 * 3_600_000
const REST_MS = 1000
/** A lost request is repeated once, after this time. */
const HANDSHAKE_AGAIN_MS = 10 * 60_000
const HANDSHAKE_TIMEOUT_MS = 2000
const HANDSHAKES_IN_FLIGHT = 16
/** Time between two looks for servers that are due. */
const HANDSHAKE_LOOK = "10 seconds"

/** How often each instance reads the findings that apply. */
const REFRESH = "30 seconds"

/** Servers after which a comparison lets the queries continue. */
const PORTION = 500

const ALL_KINDS: ReadonlySet<string> = new Set(Object.keys(KINDS))
const WITHOUT_HANDSHAKE: ReadonlySet<string> = new Set(
  [...ALL_KINDS].filter((kind) => !(HANDSHAKE_KINDS as ReadonlySet<string>).has(kind))
)

interface Seen {
  readonly at: number
  readonly rttMs: number | undefined
  readonly answer: Answer
}

/** The state of a target between two comparisons. */
interface Memory {
  before: Seen | undefined
  after: Seen
  constantCount: { readonly sinceMs: number; readonly observations: number }
  /** When the next handshake request is due. */
  handshakeDueAt: number
  hasLostHandshake: boolean
  handshake: Pick<Observation, "handshake" | "rttMs"> | undefined
}

interface Surroundings {
  readonly targets: ReadonlyMap<number, Watched>
  readonly plan: () => Plan
  readonly store: typeof Store.Service
  /** Reads the replies that other instances have stored. */
  readonly refresh: Effect.Effect<void, StoreFailed>
  readonly newsFeed: NewsFeed
  readonly onEvent: (event: MonitorEvent) => void
  /** The time of day, in ms since 1970. */
  readonly now: () => number
}

/** Lets others run after each portion. */
const breathing = (index: number): Effect.Effect<void> =>
  index % PORTION === PORTION - 1 ? Effect.promise(() => new Promise((resolve) => setImmediate(resolve))) : Effect.void

export class Verdicts {
  private readonly surroundings: Surroundings
  private readonly memory = new Map<number, Memory>()
  private current: ReadonlyMap<number, ReadonlyArray<StoredFinding>> = new Map()
  private trouble: string | undefined

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
  }

  /** The findings that apply to a target now, as far as this instance knows. */
  readonly of = (target: number): ReadonlyArray<StoredFinding> => this.current.get(target) ?? []

  /** For every instance, for the life of the scope: reads which findings apply. */
  readonly follow: Effect.Effect<void> = Effect.forever(
    Effect.andThen(
      Effect.suspend(() => this.guarded(this.read)),
      Effect.sleep(REFRESH)
    )
  )

  /** For one instance: compares replies, and sends handshake requests. */
  readonly run: Effect.Effect<void, never, Datagrams> = Effect.suspend(() => {
    const rounds = Effect.forever(
      Effect.andThen(
        Effect.suspend(() => this.guarded(this.compare)),
        Effect.sleep(ROUND)
      )
    )
    const handshakes = Effect.flatMap(Effect.andThen(this.needed, Effect.orDie(connect())), (client) =>
      Effect.forever(
        Effect.andThen(
          Effect.sleep(HANDSHAKE_LOOK),
          Effect.suspend(() => this.handshakes(client))
        )
      )
    )
    return Effect.all([Effect.delay(rounds, FIRST_ROUND), handshakes], { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)

  /** Waits until the plan has a group with `verdicts`. */
  private readonly needed: Effect.Effect<void> = Effect.suspend(() =>
    this.surroundings.plan().hasVerdicts ? Effect.void : Effect.andThen(Effect.sleep(HANDSHAKE_LOOK), this.needed)
  )

  /** A store that is away is tried again. The first failure is logged. */
  private guarded(work: Effect.Effect<void, StoreFailed>): Effect.Effect<void> {
    if (!this.surroundings.plan().hasVerdicts) {
      this.current = new Map()
      this.memory.clear()
      return Effect.void
    }
    return Effect.match(work, {
      onSuccess: () => void (this.trouble = undefined),
      onFailure: ({ message }) => {
        if (this.trouble === undefined) {
          const text = `findings cannot be stored or read: ${message}`
          this.surroundings.onEvent({ level: "warn", event: "verdicts", message: text })
        }
        this.trouble = message
      }
    })
  }

  private readonly read = Effect.suspend(() =>
    Effect.map(this.surroundings.store.findings(), (findings) => {
      this.current = Map.groupBy(findings, ({ target }) => target)
    })
  );

  private *judged(): Generator<Watched> {
    for (const target of this.surroundings.targets.values()) if (target.group.verdicts) yield target
  }

  private readonly compare: Effect.Effect<void, StoreFailed> = Effect.gen({ self: this }, function* () {
    const { newsFeed, now, refresh, store, targets } = this.surroundings
    yield* refresh
    for (const id of this.memory.keys()) if (targets.get(id)?.group.verdicts !== true) this.memory.delete(id)
    const survey = new Survey()
    const compared: Array<Watched> = []
    let index = 0
    for (const target of this.judged()) {
      if (this.observe(survey, target)) compared.push(target)
      yield* breathing(index++)
    }
    const judgements: Array<Judgement> = []
    for (const { findings } of survey.verdicts()) {
      const { id } = compared[judgements.length]!
      const kinds = this.memory.get(id)?.handshake === undefined ? WITHOUT_HANDSHAKE : ALL_KINDS
      judgements.push({ target: id, kinds, findings })
      yield* breathing(judgements.length)
    }
    // A group may have lost its `verdicts`.
    yield* this.read
    for (const id of this.current.keys()) {
      if (targets.get(id)?.group.verdicts === false) judgements.push({ target: id, kinds: ALL_KINDS, findings: [] })
    }
    for (const change of yield* store.judge(judgements, now(), END_AFTER_MS)) newsFeed.add(change)
    yield* this.read
  })

  /** Adds the last two replies of a target to the survey; returns whether there are two. */
  private observe(survey: Survey, target: Watched): boolean {
    const { id, known } = target
    const { last } = known
    if (known.state !== "up" || last === undefined) return false
    const { address } = target
    const { answer, at } = last
    const seen: Seen = { at, rttMs: last.rttAmbiguous ? undefined : last.rttMs, answer }
    const { players } = answer.info
    let memory = this.memory.get(id)
    if (memory === undefined) {
      const constantCount = { sinceMs: at, observations: 1 }
      memory = {
        before: undefined,
        after: seen,
        constantCount,
        handshakeDueAt: 0,
        hasLostHandshake: false,
        handshake: undefined
      }
      this.memory.set(id, memory)
    } else if (at - memory.after.at >= APART_MS) {
      const { constantCount } = memory
      memory.constantCount =
        players === memory.after.answer.info.players
          ? { ...constantCount, observations: constantCount.observations + 1 }
          : { sinceMs: at, observations: 1 }
      if (memory.before !== undefined && isOther(memory.after, seen)) {
        memory.before = undefined
        memory.handshake = undefined
        memory.handshakeDueAt = 0
      } else memory.before = memory.after
      memory.after = seen
    }
    const { after, before, constantCount, handshake } = memory
    if (before === undefined) return false
    survey.add({ ...observationOf(address, before), ...handshake })
    survey.add({ ...observationOf(address, after), constantCount })
    return true
  }

  /** Sends a request to the servers with players that are due, some at a time. */
  private handshakes(client: ClientShape): Effect.Effect<void> {
    const { now } = this.surroundings
    const due: Array<readonly [Watched, Memory]> = []
    for (const target of this.judged()) {
      const memory = this.memory.get(target.id)
      const { last, state } = target.known
      if (memory === undefined || state !== "up" || last === undefined || last.answer.info.players === 0) continue
      if (now() >= memory.handshakeDueAt) due.push([target, memory])
    }
    return Effect.forEach(due, ([target, memory]) => this.handshake(client, target, memory), {
      concurrency: HANDSHAKES_IN_FLIGHT,
      discard: true
    })
  }

  private readonly handshake = Effect.fnUntraced(
    { self: this },
    function* (this: Verdicts, client: ClientShape, target: Watched, memory: Memory) {
      const { now } = this.surroundings
      const { info } = target.known.last!.answer
      const form = handshakeForm(info._tag === "InfoReply" ? info.appId : undefined)
      memory.handshakeDueAt = now() + HANDSHAKE_MS
      if (form === undefined) return void (memory.handshake = {})
      yield* Effect.sleep(Math.max(0, (target.known.askedAt ?? 0) + REST_MS - now()))
      const address = formatAddress({ host: target.host, port: target.port })
      const options = { form, retries: 0, timeoutMs: HANDSHAKE_TIMEOUT_MS }
      const result = yield* Effect.result(client.handshake(address, options))
      if (Result.isSuccess(result)) {
        const { redirect, rttAmbiguous, rttMs } = result.success
        const rtt = rttAmbiguous === true ? {} : { rttMs: { handshake: rttMs } }
        memory.handshake = { handshake: { replied: true, redirect }, ...rtt }
        memory.hasLostHandshake = false
      } else if (!memory.hasLostHandshake) {
        memory.hasLostHandshake = true
        memory.handshakeDueAt = now() + HANDSHAKE_AGAIN_MS
      } else {
        memory.hasLostHandshake = false
        memory.handshake = result.failure._tag === "Timeout" ? { handshake: { replied: false } } : {}
      }
    }
  )
}

const steamIdOf = ({ answer: { info } }: Seen): string | undefined =>
  info._tag === "InfoReply" ? info.steamId : undefined

/** Whether another server has taken the address: the players of both are not compared. One that changes its SteamID each time is. */
const isOther = (before: Seen, after: Seen): boolean => {
  const [one, other] = [steamIdOf(before), steamIdOf(after)]
  return one !== undefined && other !== undefined && one !== other
}

const observationOf = (address: string, { answer: { info, players, rules }, at, rttMs }: Seen): Observation => ({
  address,
  atMs: at,
  info,
  players,
  rules,
  ...(rttMs === undefined ? {} : { rttMs: { info: rttMs } })
})
