/**
 * Determines which targets are muted. A target is muted if a user has muted its server or group, or if a maintenance window of its group is
 * active. Muted targets are queried as usual. The monitor sends no alerts about muted targets. The availability of a target is computed
 * only from the time in which the target is not muted.
 */
import { type Span, united } from "@sourcewire/ui/spans"
import type { Watched } from "./Watched.ts"

/** A mute that a user has set for a server or a group. */
export interface Mute {
  readonly id: number
  readonly kind: "server" | "group"
  /** The address of the server, or the name of the group. */
  readonly what: string
  /** The start in milliseconds since 1970. */
  readonly from: number
  /** The end in milliseconds since 1970; `undefined` if the mute has no end yet. */
  readonly until: number | undefined
  readonly note: string
}

/**
 * Returns the parts of a period in which a target is muted. The parts are sorted and do not overlap. Their times are in milliseconds since
 * 1970.
 */
export type MutedTime = (target: Watched, fromMs: number, toMs: number) => ReadonlyArray<Span>

/**
 * Returns the parts of a period that are in a maintenance window of the target's group. Only maintenance windows are used: mutes that users
 * have set are ignored.
 */
export const maintenanceTime: MutedTime = ({ group }, fromMs, toMs) => group.maintenance.within(fromMs, toMs)

/** Why a target is muted. */
export interface Muted {
  readonly by: "mute" | "maintenance"
  /** When the mute ends; absent if the end is unknown. */
  readonly until?: number
  readonly note?: string
}

/** The mutes that users have set for servers and groups. */
export class Mutes {
  private ofServer = new Map<string, ReadonlyArray<Mute>>()
  private ofGroup = new Map<string, ReadonlyArray<Mute>>()
  private all: ReadonlyArray<Mute> = []

  /** Replaces all mutes. */
  set(mutes: ReadonlyArray<Mute>): void {
    this.all = mutes
    const by = (kind: Mute["kind"]) =>
      Map.groupBy(
        mutes.filter((mute) => mute.kind === kind),
        ({ what }) => what
      )
    this.ofServer = by("server")
    this.ofGroup = by("group")
  }

  /** The mutes that have not ended, and the mutes that ended in the last two days. */
  list(): ReadonlyArray<Mute> {
    return this.all
  }

  private of({ address, group }: Watched): ReadonlyArray<Mute> {
    if (this.all.length === 0) return []
    return [...(this.ofServer.get(address) ?? []), ...(this.ofGroup.get(group.name) ?? [])]
  }

  readonly within: MutedTime = (target, fromMs, toMs) => {
    const windows = maintenanceTime(target, fromMs, toMs)
    const mutes = this.of(target)
    if (mutes.length === 0) return windows
    const spans = mutes.map(({ from, until = toMs }): Span => [Math.max(from, fromMs), Math.min(until, toMs)])
    return united([...windows, ...spans.filter(([from, to]) => to > from)])
  }

  /** Whether a target is muted at a time. */
  isMuted(target: Watched, atMs: number): boolean {
    return target.group.maintenance.isOpen(atMs) || this.at(target, atMs) !== undefined
  }

  /** Why a target is muted at a time; `undefined` if the target is not muted. */
  at(target: Watched, atMs: number): Muted | undefined {
    const open = this.of(target).filter(({ from, until }) => from <= atMs && (until === undefined || until > atMs))
    const [longest] = open.toSorted((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity))
    if (longest !== undefined) {
      const { note, until } = longest
      return { by: "mute", ...(until === undefined ? {} : { until }), ...(note === "" ? {} : { note }) }
    }
    if (!target.group.maintenance.isOpen(atMs)) return undefined
    const until = target.group.maintenance.endsAt(atMs)
    return { by: "maintenance", ...(until === undefined ? {} : { until }) }
  }
}
