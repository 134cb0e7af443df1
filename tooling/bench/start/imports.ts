/** Measures how long the `import` of a package takes on each runtime. The packages are installed from their tarballs. */
import { mkdirSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installInto, packAll, run } from "../../packaging/src/packed.ts"
import { programs } from "../../programs/programs.mjs"
import { note, turns } from "../Bench.ts"

const PACKAGES = ["@sourcewire/protocol", "@sourcewire/transport-node"]

const RUNTIMES: Readonly<Record<string, readonly [string, ...Array<string>]>> = {
  "Node 22": [programs.node22],
  "Node 24": [programs.node],
  "Node 26": [programs.node26],
  Bun: [programs.bun],
  Deno: [programs.deno, "run", "--no-prompt", "--allow-all"]
}

/** A program that measures the import of a module. Its argument is the name of the module. */
const TIMING = `
const timed = async (name) => {
  const begun = performance.now()
  await import(name)
  return performance.now() - begun
}
const empty = await timed("./empty.mjs")
console.log((await timed(process.argv[2])) - empty)
`

/**
 * In each round, measures the import of each package once on each runtime. The time to import an empty module is subtracted from each
 * measured time. In the result, `ms` is the minimum of the times of all rounds.
 */
export const importPackages = async (rounds: number) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-import-"))
  const tarballs = join(folder.path, "tarballs")
  mkdirSync(tarballs)
  const project = join(folder.path, "project")
  mkdirSync(project)
  await installInto(project, "imports", await packAll(tarballs), PACKAGES)
  writeFileSync(join(project, "empty.mjs"), "")
  writeFileSync(join(project, "timing.mjs"), TIMING)
  const all = Object.keys(RUNTIMES).flatMap((runtime) =>
    PACKAGES.map((name) => ({ name, runtime, ms: Number.POSITIVE_INFINITY }))
  )
  for (const one of turns(all, rounds)) {
    note(".")
    const [program, ...args] = RUNTIMES[one.runtime]!
    one.ms = Math.min(one.ms, Number(await run(program, [...args, "timing.mjs", one.name], project)))
  }
  return all
}
