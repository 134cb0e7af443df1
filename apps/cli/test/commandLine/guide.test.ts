import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import * as Result from "effect/Result"
import { parse } from "../../src/commandLine/parse.ts"
import { load, names } from "../../src/program.ts"
import { referenceText } from "./reference.ts"

const guide = readFileSync(new URL("../../../../docs/reference/command-line.md", import.meta.url), "utf8")

it("the reference page describes the commands with the same text as the help", async () => {
  expect(guide).toBe(await referenceText())
})

it("the reference page names every command", () => {
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

it("the command lines on the reference page are valid", async () => {
  const called = [...guide.split("<!-- commands")[0]!.matchAll(/^sourcewire (\w+)([^|\n]*)/gm)]
  expect(called.length).toBeGreaterThan(3)
  for (const [line, name, rest = ""] of called) {
    const known = names.find((one) => one === name)
    expect({ line, known }).toEqual({ line, known: name })
    const { flags } = await load[known!]()
    const read = parse(flags, rest.trim().split(/\s+/))
    expect({ line, problem: Result.isFailure(read) && read.failure.message }).toEqual({ line, problem: false })
  }
})
