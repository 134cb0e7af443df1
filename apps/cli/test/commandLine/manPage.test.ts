import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import manifest from "../../package.json" with { type: "json" }
import { commandPage, programPage } from "../../src/commandLine/help.ts"
import { manPage, pageName } from "../../src/commandLine/manPage.ts"
import { loadAll, names } from "../../src/program.ts"

const mandoc = externalProgram("mandoc", "mandoc")

const commands = await loadAll()
const findPage = (command?: string) => (command === undefined ? programPage(commands) : commandPage(commands, command))

it("package.json lists a manual page for the program and for every command", () => {
  expect(manifest.man).toEqual([undefined, ...names].map((name) => `./dist/man/${pageName(name)}.1.gz`))
})

it("a manual page escapes characters that roff would interpret", () => {
  const page = manPage({ ...findPage(), examples: [["sourcewire decode '\\x6a'\n.so", "'Quoted"]] }, "1.0.0-rc.1")
  expect(page).toMatch(/^\.TH SOURCEWIRE 1 "" "sourcewire 1\.0\.0-rc\.1"\n\.SH NAME\nsourcewire \\- /)
  expect(page).toContain("\n\\&'Quoted:\n.PP\n.RS 4\n.nf\nsourcewire decode '\\ex6a'\n\\&.so\n.fi\n.RE\n")
})

it.skipIf(mandoc === undefined)("mandoc reads each manual page without errors, and shows every flag", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
  for (const name of [undefined, ...names]) {
    await writeFile(join(folder, `${pageName(name)}.1`), manPage(findPage(name), "1.0.0"))
  }
  const read = (args: ReadonlyArray<string>) => spawnSync(mandoc!, args, { cwd: folder, encoding: "utf8" }).stdout
  const complaints = read([
    "-T",
    "lint",
    "-W",
    "warning",
    ...[undefined, ...names].map((name) => `${pageName(name)}.1`)
  ])
  // The page contains no date, because a date would be different in each build. mandoc warns about the missing date.
  expect(complaints.split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([])
  for (const [name, { flags }] of Object.entries(commands)) {
    const page = read(["-T", "ascii", "-O", "width=500", `${pageName(name)}.1`]).replaceAll(/.\u0008/g, "")
    const shown = Object.values(flags).map((flag) =>
      flag.is === "argument"
        ? flag.name.toUpperCase()
        : flag.otherwise === true
          ? `--no-${flag.name}`
          : `--${flag.name}`
    )
    expect(shown.filter((text) => !page.includes(text))).toEqual([])
  }
  await rm(folder, { recursive: true })
})
