import { describe, expect, it } from "vitest"
import { TargetRegistry } from "../src/watch/TargetRegistry.ts"
import { unknown } from "../src/watch/Watched.ts"
import { planFor } from "./lab.ts"

const [A, B] = ["192.0.2.1:27015", "192.0.2.2:27015"]
const IDS = new Map([
  [A, 1],
  [B, 2]
])

const addresses = (targets: Iterable<{ readonly address: string }>) => [...targets].map(({ address }) => address)

describe("the monitored targets", () => {
  it("include only targets that are in both the plan and the store, and start with the state from the store", () => {
    const registry = new TargetRegistry()
    const known = { ...unknown(), failures: 3 }
    const fresh = registry.replace(planFor([{ name: "eu", targets: [A, B] }]), new Map([[A, 1]]), new Map([[1, known]]))
    expect(addresses(fresh)).toEqual([A])
    expect(addresses(registry.byId.values())).toEqual([A])
    expect(registry.byAddress.get(A)).toBe(registry.byId.get(1))
    expect(registry.byId.get(1)).toMatchObject({ id: 1, known: { failures: 3 }, isWatched: true })
  })

  it("exclude targets that only the store contains, and `unseen` returns the numbers of these targets", () => {
    const registry = new TargetRegistry()
    registry.replace(planFor([{ name: "eu", targets: [A] }]), IDS, new Map())
    expect(registry.unseen(IDS)).toEqual([2])
  })

  it("have the shortest interval of all groups that have targets", () => {
    const registry = new TargetRegistry()
    registry.replace(
      planFor([
        { name: "eu", targets: [A], intervalMs: 30_000 },
        { name: "us", targets: [B], intervalMs: 20_000 },
        { name: "empty", intervalMs: 1000 }
      ]),
      IDS,
      new Map()
    )
    expect(registry.shortestMs).toBe(20_000)
  })

  it("can be listed by slice", () => {
    const registry = new TargetRegistry()
    registry.replace(planFor([{ name: "eu", targets: [A] }]), IDS, new Map())
    const { slice } = registry.byId.get(1)!
    expect(addresses(registry.inSlices(new Set([slice])))).toEqual([A])
    expect(registry.inSlices(new Set([slice + 1]))).toEqual([])
  })
})

describe("a new plan", () => {
  it("does not replace a target whose group is unchanged, but updates the ports of the target", () => {
    const registry = new TargetRegistry()
    const plan = planFor([{ name: "eu", targets: [A] }])
    registry.replace(plan, IDS, new Map())
    const before = registry.byId.get(1)!
    expect(registry.replace({ ...plan, ports: new Map([[A, [1, 2]]]) }, IDS, new Map())).toEqual([])
    expect(registry.byId.get(1)).toBe(before)
    expect(before.candidates?.ports).toEqual([1, 2])
    registry.replace(plan, IDS, new Map())
    expect(before.candidates).toBeUndefined()
  })

  it("replaces a target if its group has changed, and the new target has the state of the replaced target", () => {
    const registry = new TargetRegistry()
    registry.replace(planFor([{ name: "eu", targets: [A] }]), IDS, new Map())
    const before = registry.byId.get(1)!
    before.known.failures = 2
    before.tick = 5
    const fresh = registry.replace(planFor([{ name: "eu", targets: [A], retries: 0 }]), IDS, new Map())
    expect(addresses(fresh)).toEqual([A])
    expect(registry.byId.get(1)).toBe(fresh[0])
    expect(fresh[0]).not.toBe(before)
    expect(fresh[0]!.known).toBe(before.known)
    expect(before).toMatchObject({ isWatched: false, tick: -1 })
  })

  it("replaces a target whose number in the store has changed", () => {
    const registry = new TargetRegistry()
    const plan = planFor([{ name: "eu", targets: [A] }])
    registry.replace(plan, IDS, new Map())
    registry.replace(plan, new Map([[A, 7]]), new Map())
    expect([...registry.byId.keys()]).toEqual([7])
    expect(registry.byAddress.get(A)?.id).toBe(7)
  })

  it("removes the targets that the plan does not contain, and no other targets", () => {
    const registry = new TargetRegistry()
    const plan = planFor([{ name: "eu", targets: [A, B] }])
    registry.replace(plan, IDS, new Map())
    const [a, b] = [registry.byId.get(1)!, registry.byId.get(2)!]
    registry.replace({ ...plan, targets: new Map([[A, plan.groups.get("eu")!]]) }, IDS, new Map())
    expect([a.isWatched, b.isWatched]).toEqual([true, false])
    expect(addresses(registry.byAddress.values())).toEqual([A])
  })
})
