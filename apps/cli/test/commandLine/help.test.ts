import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { loaded, runFull } from "../../src/commandLine/full.ts"
import { coloured, plain, displayWidth } from "../../src/output/text.ts"
import { Output, type Surface } from "../../src/output/output.ts"
import { load, names } from "../../src/program.ts"
import { run } from "../runCli.ts"

const commands = await loaded(load)

const helpOf = async (
  args: ReadonlyArray<string>,
  columns: number,
  palette = plain
): Promise<ReadonlyArray<string>> => {
  const printed: Array<string> = []
  const line = (...lines: ReadonlyArray<string>) => Effect.sync(() => void printed.push(...lines))
  const none = { write: () => Effect.void, writeNow: () => {}, put: () => 0 }
  const surface: Surface = { columns, isTerminal: false, palette, line, ...none }
  await runFull(commands, [...args, "--help"], "").pipe(
    Effect.provideService(Output, { out: surface, err: surface }),
    Effect.runPromise
  )
  return printed
}

const asOne = (lines: ReadonlyArray<string>): string => lines.map((line) => line.trim()).join(" ")

describe.each([60, 80, 120])("help in %d columns", (columns) => {
  let pages: ReadonlyArray<ReadonlyArray<string>> = []
  beforeAll(async () => {
    pages = await Promise.all([[], ...names.map((name) => [name])].map((args) => helpOf(args, columns)))
  })

  it.each(["", ...names])("fits: sourcewire %s", async (name) => {
    const args = name === "" ? [] : [name]
    const lines = pages[["", ...names].indexOf(name)]!
    expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([])
    const painted = await helpOf(args, columns, coloured)
    expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(lines)
  })

  it("looks like this", async () => {
    await expect(`${pages.map((lines) => lines.join("\n")).join("\n\n\n")}\n`).toMatchFileSnapshot(
      `__snapshots__/help-${columns}.txt`
    )
  })
})

it.each(Object.entries(commands))("help says every default once: %s", async (name, { flags }) => {
  const help = asOne(await helpOf([name], 80))
  for (const { description, is, otherwise } of Object.values(flags)) {
    if (otherwise === undefined || is === "switch") continue
    expect(help).toContain(`${description}; ${String(otherwise)} unless given`)
    expect(description).not.toMatch(/default|unless given/)
  }
})

it("help lists every command", async () => {
  const lines = await helpOf([], 80)
  expect(names.filter((name) => !lines.some((line) => line.startsWith(`  ${name} `)))).toEqual([])
})

describe("sourcewire help", () => {
  it.each([
    [["help"], ["--help"]],
    [["help", "--help"], ["--help"]],
    [
      ["help", "ping"],
      ["ping", "--help"]
    ],
    [["help", "pnig"], ["pnig"]]
  ])("%j is %j", async (args, same) => {
    expect(await run(args)).toEqual(await run(same))
  })
})
