import { expect, it } from "vitest"
import { findCycles } from "../src/cycles.ts"
import { findImports } from "../src/source.ts"

const parseGraph = (sources: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(sources).map(([file, text]) => [file, findImports(file, text).map(({ specifier }) => specifier)])
  )

it("findCycles finds a cycle that consists of a dynamic import and an import of a type", () => {
  const graph = parseGraph({
    "command.ts": `import * as options from "options.ts"; export const load = () => import("run.ts")`,
    "run.ts": `import type { Settings } from "command.ts"`,
    "options.ts": ""
  })
  expect(findCycles(graph)).toEqual([["command.ts", "run.ts"]])
})

it("findCycles finds a module that imports itself, and a cycle through a module that was already visited", () => {
  expect(
    findCycles(
      new Map([
        ["a", ["b", "c"]],
        ["b", ["c"]],
        ["c", ["c", "d"]],
        ["d", ["b"]]
      ])
    )
  ).toEqual([["c"], ["b", "c", "d"]])
})

it("findCycles reports no cycle if several modules import the same module", () => {
  expect(
    findCycles(
      new Map([
        ["a", ["b", "c"]],
        ["b", ["c", "elsewhere"]],
        ["c", []]
      ])
    )
  ).toEqual([])
})
