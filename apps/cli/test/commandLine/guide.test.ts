import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { readPlain } from "../../src/commandLine/plain.ts"
import { load, names } from "../../src/program.ts"

const guide = readFileSync(new URL("../../../../docs/guides/command-line.md", import.meta.url), "utf8")

it("the guide names every command", () => {
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

it("the guide's command lines are read", async () => {
  const called = [...guide.matchAll(/^sourcewire (\w+)([^|\n]*)/gm)]
  expect(called.length).toBeGreaterThan(3)
  for (const [line, name, rest = ""] of called) {
    const known = names.find((one) => one === name)
    expect({ line, known }).toEqual({ line, known: name })
    const { flags } = await load[known!]()
    expect({ line, read: readPlain(flags, rest.trim().split(/\s+/)) }).toEqual({ line, read: expect.anything() })
  }
})
