#!/usr/bin/env node
/**
 * The entry point of the program. Handles `--version` without loading the commands, runs all other command lines, and sets the exit code
 * after Ctrl-C or if a pipe is closed.
 */
import manifest from "../package.json" with { type: "json" }
import { useCompileCache } from "./compileCache.ts"
import { findVersionProblem } from "./nodeVersion.ts"
import { explainSystemError } from "./systemError.ts"
import { hideArguments } from "./rcon/hideArguments.ts"

const USAGE = 2
const INTERRUPTED = 130

/**
 * Exits when all output has been written. If the output is a pipe, the write can take a moment. If a write fails, `onStreamError` must end
 * the program, because it chooses the exit code. However, Node calls the callback of a failed write before `onStreamError`. Therefore the
 * callback of the last write waits for one more turn of the event loop before it ends the program.
 */
const exit = (exitCode: number): void => {
  process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit(exitCode))))
}

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  // While Effect is loaded, it parses a stack trace, which takes longer than a query. Therefore stack traces are disabled until Effect is
  // loaded.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const { start } = await import("./program.ts")
  Error.stackTraceLimit = stackTraceLimit
  const { exitCode, interrupt } = start(args, manifest.version)
  let isInterrupted = false
  const onSignal = (signal: "SIGINT" | "SIGTERM"): void => {
    if (isInterrupted) process.exit(INTERRUPTED)
    isInterrupted = true
    interrupt(signal)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  exit(await exitCode)
}

// A closed pipe, as in `sourcewire … | head`, is not a failure. If an earlier failure has set an exit code, the program exits with this
// exit code, otherwise with 0.
const onStreamError = (error: NodeJS.ErrnoException): void => {
  process.exit(error.code === "EPIPE" ? process.exitCode : 1)
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE")
    process.stderr.write(`sourcewire: The results cannot be written: ${explainSystemError(error)}.\n`)
  onStreamError(error)
})
process.stderr.on("error", onStreamError)

const args = process.argv.slice(2)
const versionProblem = findVersionProblem(process.versions.node, manifest.engines.node)
if (args.length === 1 && args[0] === "--version") process.stdout.write(`sourcewire v${manifest.version}\n`)
else if (versionProblem !== undefined) {
  process.stderr.write(`sourcewire: ${versionProblem}\n`)
  process.exitCode = USAGE
} else {
  useCompileCache(manifest.version)
  hideArguments()
  await run(args)
}
