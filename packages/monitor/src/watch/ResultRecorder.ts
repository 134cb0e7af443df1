/**
 * Records the results of checks. For each check, this module records the new state of the target, its changes and its incidents. Then it
 * schedules the next check of the target.
 */
import { type ScanResult, formatAddress } from "@sourcewire/core"
import type { JudgedOutcome } from "../locations/verdictStream.ts"
import { nextId } from "../store/changeIds.ts"
import { settlePort } from "./candidates.ts"
import type { InFlight } from "./InFlight.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { Mutes } from "./Mutes.ts"
import type { UpdateFeed } from "./UpdateFeed.ts"
import { observe, type Observation, applyOutcome } from "./observe.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { TargetRegistry } from "./TargetRegistry.ts"
import type { Schedules } from "./Schedules.ts"
import type { Watched } from "./Watched.ts"

/** Counters of a monitor. */
export interface MonitorCounters {
  queried: number
  answered: number
  /** Number of checks without a result because this host could not send the query. */
  unsent: number
}

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly targets: TargetRegistry
  readonly schedules: Schedules
  readonly inFlight: InFlight
  readonly writer: StoreWriter
  readonly updateFeed: UpdateFeed
  readonly mutes: Mutes
  readonly isOwn: (target: Watched) => boolean
  readonly onEvent: (event: MonitorEvent) => void
  /** The current time, in milliseconds since 1970. */
  readonly now: () => number
  /** The number of the newest change that was in the store when the monitor started. */
  readonly lastId: number
}

export class ResultRecorder {
  readonly counters: MonitorCounters = { queried: 0, answered: 0, unsent: 0 }
  private readonly environment: Environment
  private lastId: number

  constructor(environment: Environment) {
    this.environment = environment
    this.lastId = environment.lastId
  }

  /** Records the result of a query. */
  readonly onResult = (result: ScanResult<"info" | "all">): void => {
    const { counters } = this
    const { inFlight, isOwn, mutes, now, onEvent, targets, schedules } = this.environment
    const target = result.target as Watched
    inFlight.end(target)
    if (!isOwn(target)) return
    const worked = target.known.last?.answer.queryPort
    const outcome = settlePort(target, result, (port) => {
      const other = targets.byAddress.get(formatAddress({ host: target.host, port }))
      return other !== undefined && other !== target
    })
    if (outcome === undefined) {
      counters.queried++
      return schedules.soon(target)
    }
    const at = now()
    const observation = observe(target, outcome, at, mutes.within)
    if (observation.isUnsent) counters.unsent++
    else counters.queried++
    if (outcome._tag === "Answered") counters.answered++
    const responds = target.known.last?.answer.queryPort
    if (responds !== undefined && responds !== worked) {
      const message = `${target.address} responds at the query port ${responds}`
      onEvent({ level: "info", event: "query-port", message })
    }
    this.record(target, observation, at)
  }

  /** Records the outcome of a check of a target that locations query. The outcome combines the results of all locations. */
  readonly onJudged = ({ changes, target, outcome }: JudgedOutcome): void => {
    const { isOwn, mutes, now, schedules } = this.environment
    if (!isOwn(target)) return
    if (outcome === undefined) return schedules.next(target)
    const at = now()
    const observation = applyOutcome(target, outcome, at, mutes.within)
    this.record(target, { ...observation, changes: [...observation.changes, ...changes] }, at)
  }

  private record(target: Watched, { changes, finished, incident }: Observation, at: number): void {
    const { updateFeed, schedules, writer } = this.environment
    for (const change of changes) {
      this.lastId = nextId(this.lastId, at)
      const numbered = { id: this.lastId, target: target.id, ...change }
      writer.addChange(target, numbered)
      updateFeed.add(numbered)
    }
    for (const hour of finished) writer.addHour(target, hour)
    if (incident !== undefined) writer.addIncident(target, incident)
    writer.touch(target)
    updateFeed.touch(target)
    schedules.next(target)
  }
}
