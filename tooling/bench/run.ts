/**
 * Runs a benchmark and prints its tables. With `--write`, it updates the results and the page in `docs/benchmarks`. If a measured value
 * does not meet its limit, the exit code is 1.
 *
 *     pnpm bench                            lists the benchmarks with their parts
 *     pnpm bench NAME [--parts A,B] [--OPTION VALUE …] [--write]
 *     pnpm bench --pages                    writes all pages again from their results
 */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { type Bench, note } from "./Bench.ts"
import { conditions, plain, readResults, type Result, writePage, writeResults } from "./page.ts"

const folder = join(import.meta.dirname, "benches")
const names = globSync("*.ts", { cwd: folder })
  .map((file) => basename(file, ".ts"))
  .toSorted()

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const load = async (name: string): Promise<Bench> =>
  ((await import(join(folder, `${name}.ts`))) as { readonly default: Bench }).default

const [name, ...args] = process.argv.slice(2)

if (name === "--pages") {
  for (const one of names) {
    const results = readResults(one)
    if (results !== undefined) writePage(one, results)
  }
} else if (name === undefined) {
  const width = Math.max(...names.map(({ length }) => length))
  for (const one of names) {
    const { options, parts, title } = await load(one)
    const ids = Object.keys(parts(options))
    console.log(`${one.padEnd(width)}  ${title}${ids.length > 1 ? `: ${ids.join(", ")}` : ""}`)
  }
} else if (!names.includes(name)) {
  fail(`There is no benchmark "${name}". Benchmarks: ${names.join(", ")}`)
} else {
  const bench = await load(name)
  const missing = (bench.nodeFlags ?? []).filter((flag) => !process.execArgv.includes(flag))
  if (missing.length > 0) {
    const { status } = spawnSync(process.execPath, [...missing, ...process.argv.slice(1)], { stdio: "inherit" })
    process.exit(status ?? 1)
  }
  const defaults = { parts: "", write: false, ...bench.options }
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(
      Object.entries(defaults).map(([option, value]) => [
        option,
        { type: typeof value === "boolean" ? "boolean" : "string" }
      ])
    )
  })
  const options = Object.fromEntries(
    Object.entries(defaults).map(([option, value]) => {
      const given = values[option] ?? value
      return [option, typeof value === "number" ? Number(given) : given]
    })
  )
  const parts = bench.parts(options)
  const chosen = options["parts"] === "" ? Object.keys(parts) : String(options["parts"]).split(",")
  for (const id of chosen) {
    const part = parts[id] ?? fail(`No part "${id}". Parts of ${name}: ${Object.keys(parts).join(", ")}`)
    note(`${name}, ${id} `)
    const measured = await part.measure()
    note("\n")
    const result: Result = { title: part.title, about: part.about, conditions: conditions(), ...measured }
    console.log(`\n${part.title} (${result.conditions})\n\n${plain(result.table)}\n\n${result.notes.join("\n")}`)
    if (JSON.stringify([result.table, result.notes]).includes("MISSED")) process.exitCode = 1
    if (options["write"] !== true) continue
    const before: Readonly<Record<string, Result>> = { ...readResults(name)?.parts, [id]: result }
    writeResults(name, {
      title: bench.title,
      about: bench.about,
      parts: Object.fromEntries(
        Object.keys(parts).flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]]))
      )
    })
  }
  // Sockets and processes of a benchmark may still be closing. They must not keep this program running.
  process.exit()
}
