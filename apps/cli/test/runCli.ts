/**
 * Runs the built program in a separate process, as users do.
 *
 * @module
 */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { inject } from "vitest"

const { cache, ...built } = inject("program")

/** The command that starts the published program. */
export const program = built.command

/** The folder of the built program; `undefined` if the tested program is a single file. */
export const bundle = built.bundle

/** The environment of every run. */
export const env = { ...process.env, NODE_COMPILE_CACHE: cache }

/** The exit code and the output of a run. */
export interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** File descriptor for the program's standard output (default: a pipe). */
  readonly stdoutTo?: number
  /** File descriptor for the program's standard error (default: a pipe). */
  readonly stderrTo?: number
  /** If `true`, the program chooses the folder of Node's compile cache. Otherwise all runs share one folder. */
  readonly ownCache?: boolean
  /**
   * The words of a command that starts the program, for example `nice` or `ip netns exec NAME`. These words precede the program's own
   * command.
   */
  readonly through?: ReadonlyArray<string>
}

/** A running program, and its output. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Run>
  /** Returns the output so far. */
  readonly output: () => Omit<Run, "exitCode">
  /** Returns a promise that resolves when standard output contains this text. */
  readonly printed: (text: string) => Promise<void>
  /** Returns a promise that resolves when standard error contains this text. */
  readonly printedOnStderr: (text: string) => Promise<void>
}

/** Starts the program, and does not wait for its end. */
export const start = (args: ReadonlyArray<string>, options: RunOptions = {}): Running => {
  const [command, ...words] = [...(options.through ?? []), ...program, ...args] as [string, ...Array<string>]
  const { NODE_COMPILE_CACHE, ...own } = env
  const child = spawn(command, words, {
    env: {
      ...own,
      ...(options.ownCache === true ? {} : { NODE_COMPILE_CACHE }),
      NO_COLOR: "",
      COLUMNS: "80",
      ...options.env
    },
    stdio: ["pipe", options.stdoutTo ?? "pipe", options.stderrTo ?? "pipe"]
  })
  let stdout = ""
  let stderr = ""
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk
    wake()
  })
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk
    wake()
  })
  child.stdin?.on("error", () => {})
  child.stdin?.end(options.stdin)
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
  const until = (isThere: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isThere()) resolve()
      }
      waiting.add(look)
      look()
    })
  return {
    child,
    ended,
    output: () => ({ stdout, stderr }),
    printed: (text) => until(() => stdout.includes(text)),
    printedOnStderr: (text) => until(() => stderr.includes(text))
  }
}

/** Runs the program until it exits, and returns its exit code and its output. */
export const run = (args: ReadonlyArray<string>, options?: RunOptions): Promise<Run> => start(args, options).ended

/** Parses NDJSON. Throws if a line is not JSON. */
export const objects = (stdout: string): ReadonlyArray<Record<string, unknown>> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
