/** Adds the servers of sources to the targets of the configuration. */
import type { Group, Plan } from "../config/Config.ts"
import type { FoundList } from "./FoundList.ts"

/** The origin of targets that no source has listed. */
const CONFIGURED = ["configuration"] as const

/** The origins of a target: the names of the sources that list the target, and `configuration` if the configuration contains the target. */
export const findOrigins = ({ foundIn }: Plan, address: string): ReadonlyArray<string> =>
  foundIn.get(address) ?? CONFIGURED

/**
 * Adds the servers of sources to a plan. If the configuration itself already lists a server in a group, the server remains in this group.
 * Otherwise, the server is added to the group of the first source that lists the server.
 */
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

const formatPorts = (list: FoundList | undefined): string => JSON.stringify([...(list?.ports ?? [])])

/** Whether two lists have the same servers with the same query ports. */
export const haveSame = (a: FoundList | undefined, b: FoundList | undefined): boolean =>
  a?.missing.size === b?.missing.size &&
  [...(a?.missing.keys() ?? [])].every((address) => b!.missing.has(address)) &&
  formatPorts(a) === formatPorts(b)
