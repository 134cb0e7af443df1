/**
 * Puts parentheses around the functions that common commands call. V8 compiles a function in parentheses together with its file, and other
 * functions only at their first call. Node's compile cache does not contain functions that are compiled at their first call. Without this
 * step, `info` takes about a tenth more processor time. If all functions were in parentheses, `info` would be as slow as without this step,
 * because the cache would be larger.
 *
 * To find these functions, the built commands run once, and V8 reports the functions that it called.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Visitor, parseSync } from "rolldown/utils"
import { type Part, wrapped } from "./wrapped.ts"

/**
 * The commands that are run to find the functions. `demo` starts an emulated server, and runs the code of `query` with this server. The
 * commands use no retries and no colors, so that the called functions depend neither on the load of the machine nor on the terminal.
 * Therefore the built files are always the same.
 */
const COMMANDS = [
  "demo --json --color never --retries 0 --timeout 60000",
  "demo --color never --retries 0 --timeout 60000",
  "decode --json ffffffff414ba1d522"
]

/** The fields of V8's coverage report that this module reads. The first range of a function is the range of the whole function. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly ranges: readonly [{ readonly startOffset: number; readonly endOffset: number; readonly count: number }]
    }>
  }>
}

/**
 * Puts parentheses around the called functions that are expressions. `called` contains the positions of all called functions as
 * `START-END`. Methods and declarations must not be in parentheses.
 */
const parenthesize = (code: string, called: ReadonlySet<string>): string => {
  const parts: Array<Part> = []
  // A method never matches: V8's range begins at the name of the method, but the range of its function expression begins after the name.
  const add = ({ end, start }: { readonly start: number; readonly end: number }): void => {
    if (called.has(`${start}-${end}`)) parts.push({ start, end, before: "(", behind: ")" })
  }
  new Visitor({ ArrowFunctionExpression: add, FunctionExpression: add }).visit(parseSync("chunk.js", code).program)
  return wrapped(code, parts)
}

/** Changes the files of the built program in `folder`. Throws if a command of the built program fails. */
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
