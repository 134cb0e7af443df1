/**
 * Runs the command line on a pseudo-terminal, types keys, and reads the screen. `script` of util-linux creates the terminal.
 *
 * @module
 */
import headless from "@xterm/headless"
import { spawn, spawnSync } from "node:child_process"
import { platform } from "node:process"
import { onTestFailed, onTestFinished } from "vitest"
import { env as commonEnv, program } from "./runCli.ts"

/** Whether `script` is the program of util-linux, as on Linux. Other operating systems have a different program with this name. */
export const hasTerminal = platform === "linux"

/** The characters that a terminal sends for keys. */
export const ENTER = "\r"
export const TAB = "\t"
export const ESCAPE = "\u001b"
export const UP = "\u001b[A"
export const DOWN = "\u001b[B"
export const CTRL_C = "\u0003"
export const CTRL_D = "\u0004"
export const CTRL_F = "\u0006"
export const CTRL_R = "\u0012"

/** A program on a terminal. */
export interface Terminal {
  readonly type: (keys: string) => void
  /**
   * Waits until the program has written `text`, and returns the output before `text`. If the function was called before, the output starts
   * after the text of the previous call.
   */
  readonly shows: (text: string) => Promise<string>
  /** Waits until `looksRight` returns `true` for the text of the screen, and returns this text. */
  readonly until: (looksRight: (screen: string) => boolean) => Promise<string>
  /** Returns the text of the screen, without blanks at the ends of the lines. */
  readonly screen: () => string
  /** Returns the complete output so far, with escape sequences. */
  readonly written: () => string
  /** Changes the size of the terminal, as if a user resized its window. */
  readonly resize: (columns: number, rows: number) => void
  /** Resolves with the exit code when the program has ended. */
  readonly ended: Promise<number | null>
}

/** Options of a terminal (default: 80 columns and 24 rows, without colours). */
export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Starts a command, and kills it at the end of the test. The terminal shows the command's standard output and standard error. */
export const commandOnTerminal = (
  command: ReadonlyArray<string>,
  { columns = 80, env = {}, rows = 24 }: TerminalOptions = {}
): Terminal => {
  // The shell prints the path of its terminal, and then executes the program. `resize` needs this path.
  const start = `tty >&3; exec 3>&-; stty columns ${columns} rows ${rows}; exec ${command.map(quoted).join(" ")}`
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", start, "/dev/null"], {
    // `CI` is not set, as on a user's terminal. If `CI` is set, Node uses no colours.
    env: { ...commonEnv, CI: undefined, NO_COLOR: "1", TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"]
  })
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true })
  let written = ""
  let seen = 0
  let path = ""
  let hasEnded = false
  let waiting: ReadonlyArray<() => void> = []
  const look = (): void => {
    for (const one of waiting) one()
  }
  const onChunk = (chunk: string): void =>
    emulator.write(chunk, () => {
      written += chunk
      look()
    })
  child.stdout.setEncoding("utf8").on("data", onChunk)
  child.stderr.setEncoding("utf8").on("data", onChunk)
  child.stdio[3]!.on("data", (chunk: Buffer) => {
    path += chunk.toString()
  })
  child.stdin.on("error", () => {})
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (exitCode) =>
      emulator.write("", () => {
        hasEnded = true
        resolve(exitCode)
        look()
      })
    )
  })
  // This function also runs if the test has timed out and the program is still running. After SIGTERM, `script` would wait for the program.
  // After SIGKILL, `script` ends immediately. The terminal is then closed, and the program receives SIGHUP.
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  onTestFailed(() => void process.stderr.write(`The terminal at the end:\n${screen()}\n`))
  const screen = (): string => {
    const { active } = emulator.buffer
    const lines = Array.from({ length: emulator.rows }, (_, row) => active.getLine(active.baseY + row))
    return lines
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd()
  }
  const wait = <A>(attempt: () => A | undefined, wanted: string): Promise<A> =>
    new Promise((resolve, reject) => {
      const one = (): void => {
        const value = attempt()
        if (value === undefined && !hasEnded) return
        waiting = waiting.filter((other) => other !== one)
        if (value === undefined) reject(new Error(`The program ended without ${wanted}:\n${written}`))
        else resolve(value)
      }
      waiting = [...waiting, one]
      one()
    })
  return {
    type: (keys) => child.stdin.write(keys),
    shows: (text) =>
      wait(() => {
        const at = written.indexOf(text, seen)
        if (at === -1) return undefined
        const before = written.slice(seen, at)
        seen = at + text.length
        return before
      }, JSON.stringify(text)),
    until: (looksRight) =>
      wait(() => {
        const now = screen()
        return looksRight(now) ? now : undefined
      }, "the screen that was waited for"),
    screen,
    written: () => written,
    resize: (columns, rows) => {
      emulator.resize(columns, rows)
      spawnSync("stty", ["--file", path.trim(), "columns", String(columns), "rows", String(rows)])
    },
    ended
  }
}

/** Starts the tested program on a terminal, as {@link commandOnTerminal} starts any command. */
export const onTerminal = (args: ReadonlyArray<string>, options?: TerminalOptions): Terminal =>
  commandOnTerminal([...program, ...args], options)
