/**
 * Lines typed at a terminal: the prompt for commands, with history and completion, and the one for a password, which shows nothing.
 * Both write to standard error, since standard output is for results. Lines with passwords are not kept in the file of the history.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { constants } from "node:fs"
import { appendFile, open } from "node:fs/promises"
import { ProgramError } from "../exitCode.ts"

/** What somebody at the prompt can do: enter a line, end the input (Ctrl-D), interrupt (Ctrl-C). */
export type Input =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "End" }
  | { readonly _tag: "Interrupt" }

/** A prompt on the terminal. */
export interface Prompt {
  /** Shows the prompt and waits. Lines pasted at once come one by one. */
  readonly next: Effect.Effect<Input>
  /** Waits for Ctrl-C while a command is under way; drops the lines that wait behind it. */
  readonly interrupted: Effect.Effect<void>
}

/** Pasted lines that wait; further ones are dropped. */
const MAX_WAITING = 10_000

/** Opens the prompt until the scope closes. */
export const openPrompt = (options: {
  readonly prompt: string
  /** The newest last. */
  readonly history: ReadonlyArray<string>
  /** What may stand for the word at the end of a line, and that word. */
  readonly complete: (line: string) => [Array<string>, string]
  /** Whether a line is not to be remembered. */
  readonly isSecret: (line: string) => boolean
}): Effect.Effect<Prompt, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        createInterface({
          input: process.stdin,
          output: process.stderr,
          terminal: true,
          prompt: options.prompt,
          history: options.history.toReversed(),
          historySize: HISTORY_LINES,
          removeHistoryDuplicates: true,
          completer: options.complete
        })
      ),
      (lines) => Effect.sync(() => lines.close())
    ),
    (lines): Prompt => {
      let waiting: Array<Input> = []
      let wake: ((input: Input) => void) | undefined
      let stop: (() => void) | undefined
      const arrive = (input: Input): void => {
        if (wake !== undefined) wake(input)
        else if (waiting.length < MAX_WAITING || input._tag !== "Line") waiting.push(input)
      }
      lines.on("history", (history: Array<string>) => {
        if (history[0] !== undefined && options.isSecret(history[0])) history.shift()
      })
      lines.on("line", (text) => arrive({ _tag: "Line", text }))
      lines.on("close", () => arrive({ _tag: "End" }))
      lines.on("SIGINT", () => {
        waiting = []
        if (stop === undefined) arrive({ _tag: "Interrupt" })
        else stop()
      })
      return {
        next: Effect.callback<Input>((resume) => {
          const first = waiting.shift()
          if (first !== undefined) return resume(Effect.succeed(first))
          wake = (input) => {
            wake = undefined
            resume(Effect.succeed(input))
          }
          lines.prompt(true)
          return undefined
        }),
        interrupted: Effect.callback<void>((resume) => {
          // Pressed after the line was entered and before its command was under way.
          if (waiting[0]?._tag === "Interrupt") {
            waiting.shift()
            return resume(Effect.void)
          }
          stop = () => {
            stop = undefined
            resume(Effect.void)
          }
          return Effect.sync(() => {
            stop = undefined
          })
        })
      }
    }
  )

/** Asks for a password; what is typed is not shown. Interrupts itself at Ctrl-C and Ctrl-D. */
export const askPassword = (question: string): Effect.Effect<Redacted.Redacted<string>> =>
  Effect.callback((resume) => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
    let given: string | undefined
    process.stderr.write(question)
    lines.on("line", (text) => {
      given = text
      lines.close()
    })
    lines.on("SIGINT", () => lines.close())
    lines.on("close", () => {
      process.stderr.write("\n")
      resume(given === undefined ? Effect.interrupt : Effect.succeed(Redacted.make(given)))
    })
    return Effect.sync(() => lines.close())
  })

/** Lines remembered. */
export const HISTORY_LINES = 500

/** The end of a longer file is read. */
const MAX_BYTES = 64 * 1024

const readEnd = async (file: string): Promise<ReadonlyArray<string>> => {
  // Made where it is missing, for its owner alone: who cannot write it should learn so before the first command.
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
  const { size } = await handle.stat()
  const start = Math.max(0, size - MAX_BYTES)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  const lines = buffer.toString("utf8", 0, bytesRead).split("\n")
  // The first line of a part is part of a line.
  return (start === 0 ? lines : lines.slice(1)).filter((line) => line !== "").slice(-HISTORY_LINES)
}

/** Lines typed before, the newest last. */
export const readHistory = (file: string): Effect.Effect<ReadonlyArray<string>, ProgramError> =>
  Effect.tryPromise({
    try: () => readEnd(file),
    catch: (cause) => new ProgramError({ message: `Cannot use ${file} for the history: ${(cause as Error).message}.` })
  })

/** Adds a line. A disk that is full keeps nobody from giving commands. */
export const addToHistory = (file: string, line: string): Effect.Effect<void> =>
  Effect.promise(() => appendFile(file, `${line}\n`, { mode: 0o600 }).catch(() => {}))
