#!/usr/bin/env node
/**
 * The program's first lines: answers `--version` before anything else is loaded, runs the command line, turns Ctrl-C and a reader
 * that went away into exit codes.
 */
import manifest from "../package.json" with { type: "json" }
import { keepCompiled } from "./compileCache.ts"
import { hideArguments } from "./rcon/hideArguments.ts"

const INTERRUPTED = 130

/**
 * Ends once everything printed has been handed over, which on a pipe may take a moment, and a turn later: what could not be written
 * ends the program before, with an exit code of its own.
 */
const leave = (exitCode: number): void => {
  process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit(exitCode))))
}

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  // Effect takes a stack trace apart when it is loaded, which costs more than a query.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const { start } = await import("./program.ts")
  Error.stackTraceLimit = stackTraceLimit
  const { exitCode, interrupt } = start(args, manifest.version)
  let isInterrupted = false
  const onInterrupt = (): void => {
    // Whoever presses it twice does not want to wait for anything.
    if (isInterrupted) process.exit(INTERRUPTED)
    isInterrupted = true
    interrupt()
  }
  process.on("SIGINT", onInterrupt)
  process.on("SIGTERM", onInterrupt)
  const ended = await exitCode
  leave(isInterrupted ? INTERRUPTED : ended)
}

// `sourcewire … | head`: the reader has what it wanted. A failure before that stays one.
const onStreamError = (error: NodeJS.ErrnoException): void => {
  process.exit(error.code === "EPIPE" ? process.exitCode : 1)
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") process.stderr.write(`sourcewire: results cannot be written: ${error.message}\n`)
  onStreamError(error)
})
process.stderr.on("error", onStreamError)

const args = process.argv.slice(2)
if (args.length === 1 && args[0] === "--version") process.stdout.write(`sourcewire v${manifest.version}\n`)
else {
  keepCompiled(manifest.version)
  hideArguments()
  await run(args)
}
