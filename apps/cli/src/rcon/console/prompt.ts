/**
 * Reads lines from a terminal, with history, completion and search. The prompt is on standard error, because standard output is for
 * results. The history contains no lines with passwords.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { type Key, createInterface } from "node:readline"
import { HISTORY_LINES } from "./history.ts"
import { type Searchable, printAbove, redraw, searchKeys } from "./searchKeys.ts"

export interface PromptOptions extends Omit<Searchable, "history"> {
  readonly prompt: string
  /** The lines of earlier sessions, oldest first. */
  readonly history: ReadonlyArray<string>
  /** Returns the completions of the last word of a line, and the word itself. */
  readonly complete: (line: string) => [Array<string>, string]
  readonly isSecret: (line: string) => boolean
  readonly print: (sentence: string) => void
}

/** Maximum number of pasted lines that wait to be run as commands. Further pasted lines are dropped. */
const MAX_WAITING = 10_000

/** After Ctrl-C has cleared the line, a second Ctrl-C within this time (in ms) ends the session. */
const MOMENT_MS = 1000

const isCtrlC = ({ ctrl, name }: Key): boolean => ctrl === true && name === "c"

const open = (options: PromptOptions) => {
  let history: ReadonlyArray<string> = options.history.toReversed()
  let waiting: Array<string | undefined> = []
  // While the prompt waits for a line, `wake` passes the line to the pending call of `next`. At other times, `wake` is `undefined`.
  let wake: ((line: string | undefined) => void) | undefined
  // This latch opens when the user presses Ctrl-C while a command runs. It closes before the next line is read.
  const stopped = Latch.makeUnsafe()
  // `clearedAt` is the time when Ctrl-C cleared the line. `isLeaving` is true if Ctrl-C was pressed on an empty line. Every key except
  // Ctrl-C resets both variables.
  let clearedAt = -Infinity
  let isLeaving = false

  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    prompt: options.prompt,
    history: [...history],
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    completer: options.complete
  })

  const arrive = (line: string | undefined): void => {
    if (wake !== undefined) wake(line)
    else if (waiting.length < MAX_WAITING || line === undefined) waiting.push(line)
  }

  const onInterrupt = (): void => {
    waiting = []
    if (wake === undefined) stopped.openUnsafe()
    else if (isLeaving || performance.now() - clearedAt < MOMENT_MS) wake(undefined)
    else if (lines.line !== "") {
      clearedAt = performance.now()
      redraw(lines, options.prompt, "")
    } else {
      isLeaving = true
      printAbove(lines, () => options.print("Press Ctrl-C again, or Ctrl-D, to leave."))
    }
  }

  // The search must handle keys before `readline` does. Therefore the listeners of `readline` are removed from the stream. `onKey` calls
  // these listeners only for keys that `readline` should handle, too.
  const onKeys = process.stdin.listeners("keypress")
  const search = searchKeys(lines, options.prompt, { ...options, history: () => history })
  const onKey = (text: string | undefined, key: Key): void => {
    if (!isCtrlC(key)) {
      clearedAt = -Infinity
      isLeaving = false
    }
    if (wake === undefined || search(text, key)) {
      for (const next of onKeys) Reflect.apply(next, process.stdin, [text, key])
    }
  }
  process.stdin.removeAllListeners("keypress").on("keypress", onKey)

  lines.on("history", (now: Array<string>) => {
    if (now[0] !== undefined && options.isSecret(now[0])) now.shift()
    history = [...now]
  })
  lines.on("line", arrive)
  lines.on("close", () => arrive(undefined))
  lines.on("SIGINT", onInterrupt)

  return {
    /**
     * Shows the prompt and waits for a line. Returns `undefined` if the user ends the session with Ctrl-D, or with Ctrl-C twice. If the
     * user pastes several lines, each call returns the next line of the pasted text.
     */
    next: Effect.callback<string | undefined>((resume) => {
      stopped.closeUnsafe()
      if (waiting.length > 0) return resume(Effect.succeed(waiting.shift()))
      wake = (line) => {
        wake = undefined
        resume(Effect.succeed(line))
      }
      lines.prompt(true)
      return undefined
    }),
    /**
     * This effect completes when the user presses Ctrl-C while a command runs. The caller then stops waiting for the reply to this command.
     * (Pasted lines that have not been run are dropped.)
     */
    interrupted: stopped.await,
    close: Effect.sync(() => {
      process.stdin.off("keypress", onKey)
      lines.close()
    })
  }
}

export const openPrompt = (options: PromptOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => open(options)),
    ({ close }) => close
  )
