/** Runs `sourcewire playground`: serves the page and its bridge until Ctrl-C. */
import { InvalidOption, startPlayground } from "@sourcewire/playground"
import * as Effect from "effect/Effect"
import { isLoopback, parseBindAndPort } from "../bind.ts"
import { ProgramError, UsageError, explainListenError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import type { PlaygroundSettings } from "./flags.ts"
import { findPage, pageDirectories } from "../pages.ts"
import { spawn } from "node:child_process"

export const runPlayground = Effect.fnUntraced(function* (settings: PlaygroundSettings) {
  const { notes, out } = yield* Output
  const { allow, rcon } = settings
  const bind = yield* Effect.fromResult(parseBindAndPort(settings.bind, settings.port, 0))
  if (!isLoopback(bind.host) && allow.length === 0) {
    return yield* new UsageError(
      `--bind ${bind.host} is reachable from other hosts. Use --allow to list the addresses that the page may query.`
    )
  }
  const page = findPage([...(settings.page === undefined ? [] : [settings.page]), ...pageDirectories("playground")])
  if (page === undefined) {
    return yield* new ProgramError(
      "The page is not built. In a clone, run `pnpm --filter @sourcewire/playground build`; otherwise use --page DIRECTORY."
    )
  }
  const start = Effect.tryPromise({
    try: () => startPlayground({ ...bind, rcon, page, allow }),
    catch: (cause) =>
      cause instanceof InvalidOption
        ? new UsageError(
            cause.message.replace(/^allow\.(\d+): Expected/, (_, index) => `--allow "${allow[Number(index)]}" must be`)
          )
        : new ProgramError(`The playground cannot listen: ${explainFailure(cause)}`)
  })
  const { host, port, url } = yield* Effect.acquireRelease(start, (playground) => Effect.promise(playground.close))
  yield* out.line(settings.json ? jsonLine({ listening: `${host}:${port}`, url, rcon }) : url)
  if (settings.open && out.isTerminal) openInBrowser(url)
  yield* notes.line("Anyone who has this URL can use the bridge. Press Ctrl-C to stop it.")
  yield* Effect.never
}, Effect.scoped)

/**
 * Returns the system's error message with the code of the error. On Bun, the system's message does not contain the code. Therefore this
 * function adds the code if it is missing.
 */
const explainFailure = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code } = cause as NodeJS.ErrnoException
  const message = explainListenError(cause)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...Array<string>]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Starts the browser, and does not wait until the browser exits. */
export const openInBrowser = (url: string): void => {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"]
  const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" })
  child.on("error", () => {})
  child.unref()
}
