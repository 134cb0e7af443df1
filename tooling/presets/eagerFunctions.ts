/**
 * Puts parentheses around the functions that common commands call, so that Node's compile cache contains these functions. V8 compiles a
 * function in parentheses together with its file. V8 compiles any other function at its first call, and the cache does not contain this
 * function. Without the parentheses, `info` takes about a tenth more processor time. With parentheses around all functions, `info` would
 * be as slow as without any parentheses, because the cache would be larger.
 *
 * To find the functions that commands call, this module runs the built program once per command. V8 then reports the functions that were
 * called.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Visitor, parseSync } from "rolldown/utils"
import { type Part, wrapped } from "./wrapped.ts"

/**
 * The commands that this module runs. `demo` starts an emulated server, and runs the code of `query` with this server. The commands use a
 * long timeout, no retries and no colors. Therefore the called functions depend neither on the load of the machine nor on the terminal, and
 * two builds of the same sources have equal results.
 */
const COMMANDS = [
  "demo --json --color never --retries 0 --timeout 60000",
  "demo --color never --retries 0 --timeout 60000",
  "decode --json ffffffff414ba1d522"
]

/** The fields of V8's coverage report that this module reads. The first element of `ranges` is the range of the whole function. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly ranges: readonly [{ readonly startOffset: number; readonly endOffset: number; readonly count: number }]
    }>
  }>
}

/**
 * Puts parentheses around the function expressions and arrow functions that were called. Methods and function declarations must not be in
 * parentheses. `called` contains the position of each called function, as `START-END`.
 */
const parenthesize = (code: string, called: ReadonlySet<string>): string => {
  const parts: Array<Part> = []
  // The parser reports the body of a method as a function expression, too. This expression is never in `called`: it begins after the name
  // of the method, but V8's range begins at the name.
  const add = ({ end, start }: { readonly start: number; readonly end: number }): void => {
    if (called.has(`${start}-${end}`)) parts.push({ start, end, before: "(", behind: ")" })
  }
  new Visitor({ ArrowFunctionExpression: add, FunctionExpression: add }).visit(parseSync("chunk.js", code).program)
  return wrapped(code, parts)
}

/** Puts parentheses around the called functions in the files of the built program in `folder`. Throws if one of the commands fails. */
export const compileFunctionsEagerly = (folder: string): void => {
  const reports = mkdtempSync(join(tmpdir(), "sourcewire-called-"))
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1", NODE_V8_COVERAGE: reports }
  const base = pathToFileURL(`${realpathSync(folder)}/`).href
  const called = new Map<string, Set<string>>()
  try {
    for (const command of COMMANDS) {
      const args = [join(folder, "sourcewire.js"), ...command.split(" ")]
      const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" })
      if (status !== 0) throw new Error(`The built program fails: sourcewire ${command}\n${stderr}`)
    }
    for (const name of readdirSync(reports)) {
      const { result } = JSON.parse(readFileSync(join(reports, name), "utf8")) as Coverage
      for (const { functions, url } of result.filter((file) => file.url.startsWith(base))) {
        const ranges = called.get(url) ?? new Set()
        called.set(url, ranges)
        for (const {
          ranges: [{ count, endOffset, startOffset }]
        } of functions) {
          if (count > 0) ranges.add(`${startOffset}-${endOffset}`)
        }
      }
    }
  } finally {
    rmSync(reports, { recursive: true })
  }
  for (const [url, ranges] of called) {
    const file = fileURLToPath(url)
    writeFileSync(file, parenthesize(readFileSync(file, "utf8"), ranges))
  }
}
