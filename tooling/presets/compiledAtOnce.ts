/**
 * Has the program's functions compiled when their file is, those that its commands run. V8 compiles others when they are first called,
 * which Node's compile cache does not keep: it was a sixth of a start. All of them would take as long to read from the cache. So the
 * commands run once, V8 counts which functions they call, and those are put in parentheses, by which V8 knows them.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Visitor, parseSync } from "rolldown/utils"
import { type Part, wrapped } from "./wrapped.ts"

/** What people and scripts run; `ADDRESS` is that of a server. */
const COMMAND_LINES = [
  "info --json ADDRESS",
  "query --json ADDRESS",
  "players ADDRESS",
  "rules ADDRESS",
  "query ADDRESS",
  "decode --json ffffffff414ba1d522",
  "decode ffffffff414ba1d522",
  "ping --json --count 1 ADDRESS",
  "scan --json ADDRESS",
  "--help",
  "info --help",
  "inof"
]

/** Reports of V8's, which Node writes into the folder that the environment names. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      /** The first is the whole function. */
      readonly ranges: readonly [{ readonly startOffset: number; readonly endOffset: number; readonly count: number }]
    }>
  }>
}

/** Where a function begins and ends, as a text. */
const range = (start: number, end: number): string => `${start}-${end}`

/** The functions of each file that were called, by the file's address. */
const calledIn = (reports: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const called = new Map<string, Set<string>>()
  for (const name of readdirSync(reports)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(reports, name), "utf8"))
    for (const { functions, url } of result) {
      const ofFile = called.get(url) ?? new Set()
      called.set(url, ofFile)
      for (const { ranges } of functions) {
        const { count, endOffset, startOffset } = ranges[0]
        if (count > 0) ofFile.add(range(startOffset, endOffset))
      }
    }
  }
  return called
}

/** The code with parentheses around these functions, where they are expressions: nothing else may stand in parentheses. */
const parenthesized = (code: string, called: ReadonlySet<string>): string => {
  const parts: Array<Part> = []
  const methods = new Set<unknown>()
  const add = (node: Pick<Part, "start" | "end">): void => {
    const { end, start } = node
    if (!methods.has(node) && called.has(range(start, end))) parts.push({ start, end, before: "(", behind: ")" })
  }
  new Visitor({
    MethodDefinition: ({ value }) => void methods.add(value),
    Property: ({ kind, method, value }) => void (method || kind !== "init" ? methods.add(value) : undefined),
    ArrowFunctionExpression: add,
    FunctionExpression: add
  }).visit(parseSync("chunk.js", code).program)
  return wrapped(code, parts)
}

export const compileAtOnce = async (folder: string): Promise<void> => {
  const program = join(folder, "sourcewire.js")
  const reports = mkdtempSync(join(tmpdir(), "sourcewire-called-"))
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" }
  const server = spawn(process.execPath, [program, "serve", "--json", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env
  })
  try {
    const ended = once(server, "exit").then(() =>
      Promise.reject(new Error("The program that was built does not serve."))
    )
    const [line] = (await Promise.race([once(server.stdout, "data"), ended])) as [Buffer]
    // It ends when all is done.
    ended.catch(() => undefined)
    const { listening }: { readonly listening: string } = JSON.parse(String(line))
    const runs = COMMAND_LINES.map((commandLine) => {
      const args = commandLine.replace("ADDRESS", listening).split(" ")
      return once(
        spawn(process.execPath, [program, ...args], { stdio: "ignore", env: { ...env, NODE_V8_COVERAGE: reports } }),
        "exit"
      )
    })
    await Promise.all(runs)
    const base = pathToFileURL(`${realpathSync(folder)}/`).href
    for (const [url, called] of calledIn(reports)) {
      if (!url.startsWith(base)) continue
      const file = fileURLToPath(url)
      writeFileSync(file, parenthesized(readFileSync(file, "utf8"), called))
    }
  } finally {
    server.kill("SIGKILL")
    rmSync(reports, { recursive: true })
  }
}
