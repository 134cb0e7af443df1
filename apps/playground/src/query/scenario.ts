/**
 * Writes emulated servers as text for a link: the profile, faults and count of each group of servers. Blanks separate the groups. In a
 * link, each blank is written as `+`, for example in `css_loss-0.2_seed-7*3+rust`. All other characters of the text are written in the link
 * without changes.
 */
import type { Emulated, StartRequest } from "../../bridge/Api.ts"

type Group = Pick<StartRequest, "profile" | "faults" | "count">

/** Groups servers. Adjacent servers with the same profile and faults are one group. */
export const groupServers = (servers: ReadonlyArray<Emulated>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const { faults, profile } of servers) {
    const last = groups.at(-1)
    if (last !== undefined && spell(last) === spell({ profile, faults })) {
      groups[groups.length - 1] = { ...last, count: last.count + 1 }
    } else groups.push({ profile, faults, count: 1 })
  }
  return groups
}

const spell = ({ faults, profile }: Pick<Group, "profile" | "faults">): string =>
  [profile, ...faults.map((fault) => fault.replace("=", "-"))].join("_")

export const scenarioText = (servers: ReadonlyArray<Emulated>): string =>
  groupServers(servers)
    .map((group) => (group.count === 1 ? spell(group) : `${spell(group)}*${group.count}`))
    .join(" ")

/** Parses the text of a link. Unknown profiles and faults are accepted here, and rejected when the servers start. */
export const readScenario = (text: string): ReadonlyArray<Group> =>
  text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [name = "", count = "1"] = word.split("*", 2)
      const [profile = "", ...faults] = name.split("_")
      return {
        profile,
        faults: faults.map((fault) => fault.replace(/-(?=[\d.]+$)/, "=")),
        count: Math.max(1, Math.trunc(Number(count)) || 1)
      }
    })
