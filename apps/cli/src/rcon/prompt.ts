/**
 * Lines typed at a terminal, with history, completion and search. It writes to standard error, since standard output is for results.
 * Lines with passwords are not remembered.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Key, createInterface } from "node:readline"
import { HISTORY_LINES } from "./history.ts"
import { LineSearch } from "./lineSearch.ts"

/** A prompt on the terminal. */
export interface Prompt {
  /**
   * Shows the prompt and waits for a line; `undefined` when somebody leaves, by Ctrl-D, or by Ctrl-C twice. Lines pasted at once come
   * one by one.
   */
  readonly next: Effect.Effect<string | undefined>
  /** Waits for Ctrl-C while a command is under way; drops the lines that wait behind it. */
  readonly interrupted: Effect.Effect<void>
}

/** What a prompt is made of. */
export interface PromptOptions {
  readonly prompt: string
  /** Lines typed before, the newest last. */
  readonly history: ReadonlyArray<string>
  /** What may stand for the word at the end of a line, and that word. */
  readonly complete: (line: string) => [Array<string>, string]
  /** Whether a line is not to be remembered. */
  readonly isSecret: (line: string) => boolean
  /** Lines that Ctrl-F searches, the newest first. */
  readonly replies: () => ReadonlyArray<string>
  /** Shows what Enter asks for in that search: the lines that hold a text. */
  readonly showReplies: (term: string) => void
  /** Shows a sentence of ours. */
  readonly say: (sentence: string) => void
}

/** Pasted lines that wait; further ones are dropped. */
const MAX_WAITING = 10_000

/** Ctrl-C within so many milliseconds of one that cleared the line means the prompt. */
const MOMENT_MS = 1000

/** What Ctrl with a letter searches. */
const SEARCHES: Readonly<Record<string, string>> = { r: "history", f: "replies" }

/** A search under way. */
interface Searching {
  readonly letter: string
  readonly lines: LineSearch
  /** The line as it was before. */
  readonly before: string
}

const open = (options: PromptOptions) => {
  let history: ReadonlyArray<string> = options.history.toReversed()
  let waiting: Array<string | undefined> = []
  // Set while the prompt waits for a line.
  let wake: ((line: string | undefined) => void) | undefined
  // Set while a command is under way.
  let stop: (() => void) | undefined
  // Ctrl-C was pressed after a line was entered and before its command was under way.
  let isStopped = false
  let searching: Searching | undefined
  // Since the last key that was not Ctrl-C: when it cleared the line, whether it was pressed on an empty one.
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

  const redraw = (line: string, prompt = options.prompt): void => {
    lines.setPrompt(prompt)
    lines.write(null, { ctrl: true, name: "e" })
    lines.write(null, { ctrl: true, name: "u" })
    lines.write(line)
    lines.prompt(true)
  }

  /** Prints in the place of the prompt, which comes back below. */
  const above = (print: () => void): void => {
    process.stderr.write("\r\u001b[J")
    print()
    lines.prompt(true)
  }

  const arrive = (line: string | undefined): void => {
    if (wake !== undefined) wake(line)
    else if (waiting.length < MAX_WAITING || line === undefined) waiting.push(line)
  }

  const onInterrupt = (): void => {
    waiting = []
    if (stop !== undefined) return stop()
    if (wake === undefined) {
      isStopped = true
      return undefined
    }
    if (isLeaving || performance.now() - clearedAt < MOMENT_MS) return wake(undefined)
    if (lines.line !== "") {
      clearedAt = performance.now()
      return redraw("")
    }
    isLeaving = true
    return above(() => options.say("Ctrl-C again leaves, as Ctrl-D does."))
  }

  /** Does a key's part in a search; whether the line is to have the key as well. */
  const search = (text: string | undefined, key: Key): boolean => {
    if (searching === undefined) {
      if (wake === undefined || key.ctrl !== true || SEARCHES[key.name ?? ""] === undefined) return true
      const letter = key.name!
      searching = { letter, lines: new LineSearch(letter === "r" ? history : options.replies()), before: lines.line }
      redraw("", `search ${SEARCHES[letter]}: `)
      return false
    }
    const { before, letter, lines: found } = searching
    if (found.take(text, key, letter)) {
      const nothing = found.term !== "" && found.found === undefined ? " (nothing)" : ""
      redraw(found.found ?? "", `search ${SEARCHES[letter]} ${JSON.stringify(found.term)}${nothing}: `)
      return false
    }
    searching = undefined
    const isGivenUp = key.ctrl === true && (key.name === "c" || key.name === "g")
    const isEntered = key.name === "return" || key.name === "enter"
    redraw(letter === "r" && !isGivenUp ? (found.found ?? before) : before)
    if (letter === "f" && isEntered) above(() => options.showReplies(found.term))
    return letter === "r" && !isGivenUp && key.name !== "escape"
  }

  // A key is the search's before it is the line's.
  const onKeys = process.stdin.listeners("keypress")
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.ctrl !== true || key.name !== "c") {
      clearedAt = -Infinity
      isLeaving = false
    }
    if (search(text, key)) for (const next of onKeys) Reflect.apply(next, process.stdin, [text, key])
  }
  process.stdin.removeAllListeners("keypress").on("keypress", onKey)

  lines.on("history", (now: Array<string>) => {
    if (now[0] !== undefined && options.isSecret(now[0])) now.shift()
    history = [...now]
  })
  lines.on("line", arrive)
  lines.on("close", () => arrive(undefined))
  lines.on("SIGINT", onInterrupt)

  const prompt: Prompt = {
    next: Effect.callback<string | undefined>((resume) => {
      isStopped = false
      if (waiting.length > 0) return resume(Effect.succeed(waiting.shift()))
      wake = (line) => {
        wake = undefined
        resume(Effect.succeed(line))
      }
      lines.prompt(true)
      return undefined
    }),
    interrupted: Effect.callback<void>((resume) => {
      if (isStopped) return resume(Effect.void)
      stop = () => {
        stop = undefined
        resume(Effect.void)
      }
      return Effect.sync(() => {
        stop = undefined
      })
    })
  }
  const close = (): void => {
    process.stdin.off("keypress", onKey)
    lines.close()
  }
  return { prompt, close }
}

/** Opens the prompt until the scope closes. */
export const openPrompt = (options: PromptOptions): Effect.Effect<Prompt, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => open(options)),
      ({ close }) => Effect.sync(close)
    ),
    ({ prompt }) => prompt
  )
