import { globSync } from "node:fs"
import { expect, it } from "vitest"
import { root } from "../../checks/src/workspace.ts"
import { targets } from "../src/targets.ts"

/** A pattern once for each of the names in its braces. */
const spelledOut = (pattern: string): ReadonlyArray<string> => {
  const [, before, names, behind] = /^!?(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? []
  return names === undefined
    ? [pattern.replace("!", "")]
    : names.split(",").flatMap((name) => spelledOut(before! + name + behind!))
}

it.each(Object.entries(targets))("%s names only files that there are", (_, { others, sources, tests }) => {
  const names = [...sources, ...tests, ...others].flatMap(spelledOut)
  expect(names.filter((name) => globSync(name, { cwd: root }).length === 0)).toEqual([])
})
