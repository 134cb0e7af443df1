import { describe, expect, it } from "vitest"
import { commandPage, helpLines, programPage } from "../../src/commandLine/help.ts"
import { coloured, plain, displayWidth } from "../../src/output/text.ts"
import { loadAll, names } from "../../src/program.ts"
import { run } from "../runCli.ts"

const commands = await loadAll()

const formatHelp = (name: string, columns: number, palette = plain): ReadonlyArray<string> =>
  helpLines(name === "" ? programPage(commands) : commandPage(commands, name), { columns, palette })

const asOne = (lines: ReadonlyArray<string>): string => lines.map((line) => line.trim()).join(" ")

describe.each([60, 80, 120])("help on a terminal of %d columns", (columns) => {
  it.each(["", ...names])(
    "is not wider than the terminal, and has the same text with and without colours: sourcewire %s",
    (name) => {
      const lines = formatHelp(name, columns)
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([])
      const painted = formatHelp(name, columns, coloured)
      expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(lines)
    }
  )
})

// The snapshot contains the help for 80 columns, which is enough to review the text. The tests above check the help for 60, 80 and 120
// columns.
it("help matches its snapshot", async () => {
  const pages = ["", ...names].map((name) => formatHelp(name, 80))
  await expect(`${pages.map((lines) => lines.join("\n")).join("\n\n\n")}\n`).toMatchFileSnapshot(
    "__snapshots__/help.txt"
  )
})

it.each(names)("the help contains the defaults of all flags that accept a value: sourcewire %s", (name) => {
  const help = asOne(formatHelp(name, 200))
  for (const { description, is, otherwise, words } of Object.values(commands[name]!.flags)) {
    expect(description).not.toMatch(/unless given/)
    if (otherwise === undefined || is === "switch") continue
    const choices = words === undefined ? ")" : `; one of: ${words.join(", ")})`
    expect(help).toContain(`${description} (default: ${String(otherwise)}${choices}`)
  }
})

it("the help of sourcewire lists each command once", () => {
  const lines = formatHelp("", 80)
  expect(names.filter((name) => lines.filter((line) => line.startsWith(`  ${name}  `)).length !== 1)).toEqual([])
})

describe("sourcewire help", () => {
  it.each([
    [["help"], ["--help"]],
    [["help", "--help"], ["--help"]],
    [
      ["help", "ping"],
      ["ping", "--help"]
    ],
    [
      ["help", "monitor", "status"],
      ["monitor", "status", "--help"]
    ],
    [
      ["monitor", "help"],
      ["monitor", "--help"]
    ],
    [["help", "pnig"], ["pnig"]]
  ])("the arguments %j cause the same output as the arguments %j", async (args, same) => {
    expect(await run(args)).toEqual(await run(same))
  })

  it("--help prints the help even if other flags are invalid", async () => {
    const { exitCode, stdout } = await run(["ping", "--cuont", "x", "--help"])
    expect(exitCode).toBe(0)
    expect(stdout).toContain("sourcewire ping [FLAGS]")
  })
})
