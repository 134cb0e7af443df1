/**
 * Runs the command line on a pseudo-terminal, which `script` of util-linux makes, and types.
 *
 * @module
 */
import { spawn } from "node:child_process"
import { onTestFinished } from "vitest"
import { env as commonEnv, program } from "./runCli.ts"

/** A program on a terminal. */
export interface Terminal {
  /** Types, as it stands: `\r` is Enter, `\t` Tab, `\u0003` Ctrl-C, `\u0004` Ctrl-D. */
  readonly type: (keys: string) => void
  /** Waits until the terminal shows `text` behind everything that was waited for before; gives what stands before it. */
  readonly shows: (text: string) => Promise<string>
  /** Everything shown so far. */
  readonly screen: () => string
  /** The program's exit code. */
  readonly ended: Promise<number | null>
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Starts the program for as long as the test runs; both of its streams are shown. Colours are off. */
export const onTerminal = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Terminal => {
  const command = [...program, ...args].map(quoted).join(" ")
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    env: { ...commonEnv, NO_COLOR: "1", TERM: "xterm", ...env }
  })
  let screen = ""
  let seen = 0
  let waiting: (() => void) | undefined
  const onChunk = (chunk: string): void => {
    screen += chunk
    waiting?.()
  }
  child.stdout.setEncoding("utf8").on("data", onChunk)
  child.stderr.setEncoding("utf8").on("data", onChunk)
  child.stdin.on("error", () => {})
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (exitCode) => {
      resolve(exitCode)
      waiting?.()
    })
  })
  // Also when the test is out of time, and waits for what never shows.
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const shows = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const at = screen.indexOf(text, seen)
        if (at === -1) {
          if (child.exitCode !== null)
            reject(new Error(`The program ended without ${JSON.stringify(text)}:\n${screen}`))
          return
        }
        waiting = undefined
        const before = screen.slice(seen, at)
        seen = at + text.length
        resolve(before)
      }
      waiting = look
      look()
    })
  return {
    type: (keys) => child.stdin.write(keys),
    shows,
    screen: () => screen,
    ended
  }
}
