/**
 * Finds contradictions between the facts about a server. Only servers in groups with `verdicts` are examined. One instance periodically
 * compares the replies that all instances have stored, sends handshake requests, and stores the findings. Only one instance compares the
 * replies, because many findings require a comparison of all servers. Every instance reads which findings apply.
 */
import { connect, formatAddress } from "@sourcewire/core"
import type { ClientShape } from "@sourcewire/core/query"
import type { Datagrams } from "@sourcewire/core/transport"
import {
  HANDSHAKE_KINDS,
  KINDS,
  type ListEntry,
  type Observation,
  STEAM_KINDS,
  Survey,
  handshakeForm
} from "@sourcewire/verdict"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Plan } from "../config/Config.ts"
import type { CountedList, FoundList } from "../sources/FoundList.ts"
import type { Judgement, StoredFinding } from "../store/findings.ts"
import type { Store, StoreFailed } from "../store/Store.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { UpdateFeed } from "./UpdateFeed.ts"
import type { Answer, Watched } from "./Watched.ts"

/** Pause between two comparisons. */
const ROUND = "5 minutes"
/**
 * Time between the start of {@link Verdicts.run} and the first comparison. A finding requires two replies of a server. The first comparison
 * only stores the first reply of each server in memory, and a later comparison reads the second reply.
 */
const FIRST_ROUND = "70 seconds"
/**
 * If no comparison has found a finding for this time, the finding ends. With pauses of five minutes, a finding ends only after three
 * comparisons in a row have not found it. Therefore a single lost reply does not end a finding.
 */
const END_AFTER_MS = 12 * 60_000
/** Minimum time between the two replies of a server that are compared. */
const APART_MS = 60_000

/** Time between two handshake requests to a server. */
const HANDSHAKE_MS = 6 * 3_600_000
/** Minimum time between the last query of a server and a handshake request to this server. */
const REST_MS = 1000
/** A failed handshake request is repeated once after this time, because it may have failed only because its datagram was lost. */
const HANDSHAKE_AGAIN_MS = 10 * 60_000
const HANDSHAKE_TIMEOUT_MS = 2000
const HANDSHAKES_IN_FLIGHT = 16
/** Interval at which due handshake requests are sent. */
const HANDSHAKE_INTERVAL = "10 seconds"

/** Interval at which each instance reads the findings that apply. */
const REFRESH = "30 seconds"

/** A comparison pauses each time it has processed this number of servers, so that other work can run. */
const PORTION = 500

/**
 * The number of players in Steam's list can be outdated by at most this time. For example, a server counts a player immediately after the
 * player has joined, but Steam may count the player up to this time later.
 */
const STEAM_LAG_MS = 60_000

const ALL_KINDS: ReadonlySet<string> = new Set(Object.keys(KINDS))
const withoutKinds = (kinds: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...kinds].filter((kind) => !others.has(kind)))
const WITHOUT_STEAM = withoutKinds(ALL_KINDS, STEAM_KINDS)
const WITHOUT_HANDSHAKE = withoutKinds(ALL_KINDS, HANDSHAKE_KINDS)
const WITHOUT_BOTH = withoutKinds(WITHOUT_STEAM, HANDSHAKE_KINDS)

/** The kinds of findings that can be checked for a target. */
const listKinds = ({ handshake, isSteamPending }: TargetRecord): ReadonlySet<string> => {
  if (handshake === undefined) return isSteamPending ? WITHOUT_BOTH : WITHOUT_HANDSHAKE
  return isSteamPending ? WITHOUT_STEAM : ALL_KINDS
}

interface Seen {
  readonly at: number
  readonly rttMs: number | undefined
  readonly answer: Answer
}

/** The data about a target that are kept in memory between two comparisons. */
interface TargetRecord {
  /** The reply before the reply `before`. The players and rules of this reply are not kept. */
  earlier: Pick<Observation, "atMs" | "info"> | undefined
  before: Seen | undefined
  after: Seen
  constantCount: { readonly sinceMs: number; readonly observations: number }
  /** When the next handshake request is due. */
  handshakeDueAt: number
  hasLostHandshake: boolean
  handshake: Pick<Observation, "handshake" | "rttMs"> | undefined
  /**
   * Whether a comparison with Steam's player count is pending, because Steam's list contains the server, but the replies for the comparison
   * are still missing.
   */
  isSteamPending: boolean
}

interface Environment {
  readonly targets: ReadonlyMap<number, Watched>
  readonly plan: () => Plan
  /** The list of each source, by the key of the source. */
  readonly lists: () => ReadonlyMap<string, FoundList>
  readonly store: typeof Store.Service
  /** Reads the replies that other instances have stored. */
  readonly refresh: Effect.Effect<void, StoreFailed>
  readonly updateFeed: UpdateFeed
  readonly onEvent: (event: MonitorEvent) => void
  /** The current time, in milliseconds since 1970. */
  readonly now: () => number
}

/** Lets other work run after each portion of servers. */
const yieldToOthers = (index: number): Effect.Effect<void> =>
  index % PORTION === PORTION - 1 ? Effect.promise(() => new Promise((resolve) => setImmediate(resolve))) : Effect.void

export class Verdicts {
  private readonly environment: Environment
  private readonly records = new Map<number, TargetRecord>()
  private current: ReadonlyMap<number, ReadonlyArray<StoredFinding>> = new Map()
  private error: string | undefined

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** The findings that applied to a target when this instance last read the findings from the store. */
  readonly of = (target: number): ReadonlyArray<StoredFinding> => this.current.get(target) ?? []

  /** Periodically reads which findings apply. Every instance runs this effect. */
  readonly follow: Effect.Effect<void> = Effect.forever(
    Effect.andThen(
      Effect.suspend(() => this.guarded(this.read)),
      Effect.sleep(REFRESH)
    )
  )

  /** Periodically compares replies and sends handshake requests. Only one instance runs this effect. */
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
          Effect.sleep(HANDSHAKE_INTERVAL),
          Effect.suspend(() => this.handshakes(client))
        )
      )
    )
    return Effect.all([Effect.delay(rounds, FIRST_ROUND), handshakes], { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)

  /** Waits until the plan has a group with `verdicts`. */
  private readonly needed: Effect.Effect<void> = Effect.suspend(() =>
    this.environment.plan().hasVerdicts ? Effect.void : Effect.andThen(Effect.sleep(HANDSHAKE_INTERVAL), this.needed)
  )

  /**
   * Runs `work` if at least one group has `verdicts`. If `work` fails repeatedly, only the first failure is logged until `work` has
   * succeeded again.
   */
  private guarded(work: Effect.Effect<void, StoreFailed>): Effect.Effect<void> {
    if (!this.environment.plan().hasVerdicts) {
      this.current = new Map()
      this.records.clear()
      return Effect.void
    }
    return Effect.match(work, {
      onSuccess: () => void (this.error = undefined),
      onFailure: ({ message }) => {
        if (this.error === undefined) {
          const text = `findings cannot be stored or read: ${message}`
          this.environment.onEvent({ level: "warn", event: "verdicts", message: text })
        }
        this.error = message
      }
    })
  }

  private readonly read = Effect.suspend(() =>
    Effect.map(this.environment.store.findings(), (findings) => {
      this.current = Map.groupBy(findings, ({ target }) => target)
    })
  );

  private *judged(): Generator<Watched> {
    for (const target of this.environment.targets.values()) if (target.group.verdicts) yield target
  }

  private readonly compare: Effect.Effect<void, StoreFailed> = Effect.gen({ self: this }, function* () {
    const { lists, updateFeed, now, plan, refresh, store, targets } = this.environment
    yield* refresh
    const counted = plan().sources.flatMap(({ key }) => lists().get(key)?.counted ?? [])
    for (const id of this.records.keys()) if (targets.get(id)?.group.verdicts !== true) this.records.delete(id)
    const survey = new Survey()
    const compared: Array<Watched> = []
    let index = 0
    for (const target of this.judged()) {
      if (this.observe(survey, target, counted)) compared.push(target)
      yield* yieldToOthers(index++)
    }
    const judgements: Array<Judgement> = []
    for (const { findings } of survey.verdicts()) {
      const { id } = compared[judgements.length]!
      judgements.push({ target: id, kinds: listKinds(this.records.get(id)!), findings })
      yield* yieldToOthers(judgements.length)
    }
    // If a group no longer has `verdicts`, the findings about its servers end.
    yield* this.read
    for (const id of this.current.keys()) {
      if (targets.get(id)?.group.verdicts === false) judgements.push({ target: id, kinds: ALL_KINDS, findings: [] })
    }
    for (const change of yield* store.judge(judgements, now(), END_AFTER_MS)) updateFeed.add(change)
    yield* this.read
  })

  /**
   * Adds the last two replies of a target to the survey. Returns `false` if the target is not up, or if fewer than two of its replies are
   * known.
   */
  private observe(survey: Survey, target: Watched, counted: ReadonlyArray<CountedList>): boolean {
    const { id, known } = target
    const { last } = known
    if (known.state !== "up" || last === undefined) return false
    const { address } = target
    const { answer, at } = last
    const seen: Seen = { at, rttMs: last.rttAmbiguous ? undefined : last.rttMs, answer }
    const { players } = answer.info
    let record = this.records.get(id)
    if (record === undefined) {
      const constantCount = { sinceMs: at, observations: 1 }
      record = {
        earlier: undefined,
        before: undefined,
        after: seen,
        constantCount,
        handshakeDueAt: 0,
        hasLostHandshake: false,
        handshake: undefined,
        isSteamPending: false
      }
      this.records.set(id, record)
    } else if (at - record.after.at >= APART_MS) {
      const { constantCount } = record
      record.constantCount =
        players === record.after.answer.info.players
          ? { ...constantCount, observations: constantCount.observations + 1 }
          : { sinceMs: at, observations: 1 }
      if (record.before !== undefined && isOther(record.after, seen)) {
        record.earlier = undefined
        record.before = undefined
        record.handshake = undefined
        record.handshakeDueAt = 0
      } else {
        record.earlier = record.before && { atMs: record.before.at, info: record.before.answer.info }
        record.before = record.after
      }
      record.after = seen
    }
    const { after, before, constantCount, earlier, handshake } = record
    if (before === undefined) return false
    const listed = listedIn(counted, address)
    const comparedAt = listed && comparedSince(listed, record)
    record.isSteamPending = listed !== undefined && comparedAt === undefined
    const steam = comparedAt === undefined ? {} : { listed: listed!.entry }
    if (comparedAt !== undefined && comparedAt === earlier?.atMs) survey.add({ address, ...earlier, ...steam })
    survey.add({ ...toObservation(address, before), ...handshake, ...steam })
    survey.add({ ...toObservation(address, after), constantCount })
    return true
  }

  /**
   * Sends a handshake request to each server that has players and whose request is due. At most {@link HANDSHAKES_IN_FLIGHT} of these
   * requests are in flight at the same time.
   */
  private handshakes(client: ClientShape): Effect.Effect<void> {
    const { now } = this.environment
    const due: Array<readonly [Watched, TargetRecord]> = []
    for (const target of this.judged()) {
      const record = this.records.get(target.id)
      const { last, state } = target.known
      if (record === undefined || state !== "up" || last === undefined || last.answer.info.players === 0) continue
      if (now() >= record.handshakeDueAt) due.push([target, record])
    }
    return Effect.forEach(due, ([target, record]) => this.handshake(client, target, record), {
      concurrency: HANDSHAKES_IN_FLIGHT,
      discard: true
    })
  }

  private readonly handshake = Effect.fnUntraced(
    { self: this },
    function* (this: Verdicts, client: ClientShape, target: Watched, record: TargetRecord) {
      const { now } = this.environment
      const { info } = target.known.last!.answer
      const form = handshakeForm(info._tag === "InfoReply" ? info.appId : undefined)
      record.handshakeDueAt = now() + HANDSHAKE_MS
      if (form === undefined) return void (record.handshake = {})
      yield* Effect.sleep(Math.max(0, (target.known.queriedAt ?? 0) + REST_MS - now()))
      const address = formatAddress({ host: target.host, port: target.port })
      const options = { form, retries: 0, timeoutMs: HANDSHAKE_TIMEOUT_MS }
      const result = yield* Effect.result(client.handshake(address, options))
      if (Result.isSuccess(result)) {
        const { redirect, rttAmbiguous, rttMs } = result.success
        const rtt = rttAmbiguous === true ? {} : { rttMs: { handshake: rttMs } }
        record.handshake = { handshake: { replied: true, redirect }, ...rtt }
        record.hasLostHandshake = false
      } else if (!record.hasLostHandshake) {
        record.hasLostHandshake = true
        record.handshakeDueAt = now() + HANDSHAKE_AGAIN_MS
      } else {
        record.hasLostHandshake = false
        record.handshake = result.failure._tag === "Timeout" ? { handshake: { replied: false } } : {}
      }
    }
  )
}

/** Steam's entry for a server, and the times at which this process began and finished reading Steam's list. */
interface ListedServer extends Pick<CountedList, "from" | "to"> {
  readonly entry: ListEntry
}

const listedIn = (counted: ReadonlyArray<CountedList>, address: string): ListedServer | undefined => {
  for (const { counts, from, to } of counted) {
    const entry = counts.get(address)
    if (entry !== undefined) return { from, to, entry }
  }
  return undefined
}

/**
 * The time from which replies are compared with Steam's count: the arrival time of the last reply that arrived at least
 * {@link STEAM_LAG_MS} before the list was read. `undefined` if there is no such reply, or if no reply has arrived after the list was read.
 * A finding requires that this reply and all later replies differ from the count. Therefore a player who joins or leaves while the list is
 * read does not cause a finding.
 */
const comparedSince = ({ from, to }: ListedServer, { after, before, earlier }: TargetRecord): number | undefined => {
  if (after.at < to) return undefined
  return [before?.at, earlier?.atMs].find((at) => at !== undefined && at <= from - STEAM_LAG_MS)
}

const findSteamId = ({ answer: { info } }: Seen): string | undefined =>
  info._tag === "InfoReply" ? info.steamId : undefined

/**
 * Whether two replies have different SteamIDs, and may therefore come from different servers. If true, the comparison begins again with the
 * second reply, because players of different servers must not be compared. Even if a server changes its SteamID with every reply, every
 * second pair of its replies is compared.
 */
const isOther = (before: Seen, after: Seen): boolean => {
  const [one, other] = [findSteamId(before), findSteamId(after)]
  return one !== undefined && other !== undefined && one !== other
}

const toObservation = (address: string, { answer: { info, players, rules }, at, rttMs }: Seen): Observation => ({
  address,
  atMs: at,
  info,
  players,
  rules,
  ...(rttMs === undefined ? {} : { rttMs: { info: rttMs } })
})
