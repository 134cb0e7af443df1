/**
 * Makes V8 compile the functions that common commands call when it compiles their file. V8 compiles a function in parentheses together
 * with its file, but another function only at its first call, which Node's compile cache does not keep. Without this step, `info` takes
 * about a tenth more processor time. Compiling all functions would take as long, because the cache would be larger.
 *
 * The built commands run once and report which functions V8 called.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Visitor, parseSync } from "rolldown/utils"
import { type Part, wrapped } from "./wrapped.ts"

/** Commands that scripts run often. `ADDRESS` is a server. */
const COMMANDS = [
  "info --json ADDRESS",
  "info ADDRESS",
  "query --json ADDRESS",
  "query ADDRESS",
  "decode --json ffffffff414ba1d522"
]

/** The used part of V8's coverage report. The first range is that of the whole function. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly ranges: readonly [{ readonly startOffset: number; readonly endOffset: number; readonly count: number }]
    }>
  }>
}

/** Runs the commands, and returns the ranges (`START-END`) of the functions that were called, by the URL of their file. */
const findCalledFunctions = async (program: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  await using reports = await mkdtempDisposable(join(tmpdir(), "sourcewire-called-"))
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" }
  const server = spawn(process.execPath, [program, "serve", "--json", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const [line] = (await Promise.race([once(server.stdout, "data"), once(server, "exit")])) as [unknown]
    if (!Buffer.isBuffer(line)) throw new Error("The built program cannot serve, so no command can be tried.")
    const { listening } = JSON.parse(line.toString()) as { readonly listening: string }
    const runs = COMMANDS.map(async (command) => {
      const args = command.replace("ADDRESS", listening).split(" ")
      const run = spawn(process.execPath, [program, ...args], {
        env: { ...env, NODE_V8_COVERAGE: reports.path },
        stdio: ["ignore", "ignore", "inherit"]
      })
      const [exitCode] = (await once(run, "exit")) as [number | null]
      if (exitCode !== 0) throw new Error(`The built program fails: sourcewire ${command}`)
    })
    await Promise.all(runs)
  } finally {
    server.kill("SIGKILL")
  }
  const called = new Map<string, Set<string>>()
  for (const name of readdirSync(reports.path)) {
    const { result } = JSON.parse(readFileSync(join(reports.path, name), "utf8")) as Coverage
    for (const { functions, url } of result) {
      const ranges = called.get(url) ?? new Set()
      called.set(url, ranges)
      for (const {
        ranges: [{ count, endOffset, startOffset }]
      } of functions) {
        if (count > 0) ranges.add(`${startOffset}-${endOffset}`)
      }
    }
  }
  return called
}

/** Puts the called functions in parentheses, if they are expressions. Methods and declarations cannot be in parentheses. */
const parenthesize = (code: string, called: ReadonlySet<string>): string => {
  const parts: Array<Part> = []
  const methods = new Set<unknown>()
  const add = (node: { readonly start: number; readonly end: number }): void => {
    const { end, start } = node
    if (!methods.has(node) && called.has(`${start}-${end}`)) parts.push({ start, end, before: "(", behind: ")" })
  }
  new Visitor({
    MethodDefinition: ({ value }) => void methods.add(value),
    Property: ({ kind, method, value }) => void (method || kind !== "init" ? methods.add(value) : undefined),
    ArrowFunctionExpression: add,
    FunctionExpression: add
  }).visit(parseSync("chunk.js", code).program)
  return wrapped(code, parts)
}

/** Changes the files of the program in this folder. */
export const compileFunctionsEagerly = async (folder: string): Promise<void> => {
  const base = pathToFileURL(`${realpathSync(folder)}/`).href
  for (const [url, called] of await findCalledFunctions(join(folder, "sourcewire.js"))) {
    if (!url.startsWith(base)) continue
    const file = fileURLToPath(url)
    writeFileSync(file, parenthesize(readFileSync(file, "utf8"), called))
  }
}
