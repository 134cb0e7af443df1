/** The monitored targets: those targets of the plan that are in the store. */
import type { Plan } from "../config/Config.ts"
import { placesIn } from "./PlanFollower.ts"
import { type Known, unknown, Watched } from "./Watched.ts"

/** Finds monitored targets by their number, by their address, or by their slice. */
export class TargetRegistry {
  readonly byId = new Map<number, Watched>()
  readonly byAddress = new Map<string, Watched>()
  /** The shortest interval of all targets, in milliseconds. */
  shortestMs = 0

  inSlices(slices: ReadonlySet<number>): ReadonlyArray<Watched> {
    return [...this.byId.values()].filter(({ slice }) => slices.has(slice))
  }

  /**
   * Returns the numbers of the targets that are in the store and not monitored yet. `ids` contains the numbers of all targets in the store,
   * by address.
   */
  unseen(ids: ReadonlyMap<string, number>): ReadonlyArray<number> {
    return [...ids].flatMap(([address, id]) => (this.byAddress.has(address) ? [] : [id]))
  }

  /**
   * Replaces all targets with the targets of a plan. If the number and the group of a target have not changed, its existing object is kept.
   * Otherwise, a new object is created for the target. Returns the new objects. `ids` contains the number of each target in the store, by
   * address. `stored` contains the stored states of targets that are not monitored yet.
   */
  replace(plan: Plan, ids: ReadonlyMap<string, number>, stored: ReadonlyMap<number, Known>): ReadonlyArray<Watched> {
    const before = new Map(this.byAddress)
    this.byId.clear()
    this.byAddress.clear()
    this.shortestMs = Number.POSITIVE_INFINITY
    for (const { intervalMs } of plan.targets.values()) this.shortestMs = Math.min(this.shortestMs, intervalMs)
    const fresh: Array<Watched> = []
    for (const [address, where] of placesIn(plan)) {
      const id = ids.get(address)
      if (id === undefined) continue
      const group = plan.targets.get(address)!
      const ports = plan.ports.get(address)
      let target = before.get(address)
      if (target?.id !== id || target.group !== group) {
        target = new Watched(id, address, where, group, target?.known ?? stored.get(id) ?? unknown(), ports)
        fresh.push(target)
      } else target.usePorts(ports ?? [])
      this.byId.set(id, target)
      this.byAddress.set(address, target)
    }
    for (const target of before.values()) {
      if (this.byId.get(target.id) === target) continue
      target.isWatched = false
      target.tick = -1
    }
    return fresh
  }
}
