/** Targets out of lists, added to those that the configuration names itself. */
import type { Group, Plan } from "../config/Config.ts"
import type { FoundList } from "./FoundList.ts"

/** Where those come from that no source has listed. */
const CONFIGURED = ["configuration"] as const

/** What names a target: the configuration, sources. */
export const sourcesOf = ({ foundIn }: Plan, address: string): ReadonlyArray<string> =>
  foundIn.get(address) ?? CONFIGURED

/** A plan with what its sources have given. A server belongs to the group that names it, else to the first whose sources do. */
export const withFound = (plan: Plan, lists: ReadonlyMap<string, FoundList>): Plan => {
  if (plan.sources.length === 0) return plan
  const targets = new Map<string, Group>(plan.targets)
  const ports = new Map(plan.ports)
  const foundIn = new Map<string, Array<string>>()
  for (const { group, key, name } of plan.sources) {
    const list = lists.get(key)
    for (const [address, candidates] of list?.ports ?? []) if (!ports.has(address)) ports.set(address, candidates)
    for (const address of list?.missing.keys() ?? []) {
      if (!targets.has(address)) targets.set(address, plan.groups.get(group)!)
      const names = foundIn.get(address) ?? (plan.targets.has(address) ? [...CONFIGURED] : [])
      if (!names.includes(name)) names.push(name)
      foundIn.set(address, names)
    }
  }
  return { ...plan, targets, ports, foundIn }
}

const portsOf = (list: FoundList | undefined): string => JSON.stringify([...(list?.ports ?? [])])

/** Whether two lists have the same servers, with the same query ports. */
export const haveSame = (a: FoundList | undefined, b: FoundList | undefined): boolean =>
  a?.missing.size === b?.missing.size &&
  [...(a?.missing.keys() ?? [])].every((address) => b!.missing.has(address)) &&
  portsOf(a) === portsOf(b)
