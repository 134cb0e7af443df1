/** Runs the playground's bridge until somebody presses Ctrl-C: the work of `sourcewire playground`. */
import { InvalidPlayground, startPlayground } from "@sourcewire/playground"
import * as Effect from "effect/Effect"
import { ProgramError, UsageError, whyNotListening } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import type { PlaygroundSettings } from "./command.ts"
import { pageIn, placesOf } from "../pages.ts"
import { spawn } from "node:child_process"

export const runPlayground = Effect.fnUntraced(function* (settings: PlaygroundSettings) {
  const { err, out } = yield* Output
  const { allow, bind, rcon } = settings
  const page = pageIn([...(settings.page === undefined ? [] : [settings.page]), ...placesOf("playground")])
  if (page === undefined) {
    return yield* new ProgramError(
      "The page is not built: run `pnpm --filter @sourcewire/playground build` in the clone."
    )
  }
  const start = Effect.tryPromise({
    try: () => startPlayground({ host: bind, port: settings.port, rcon, page, allow }),
    catch: (cause) =>
      cause instanceof InvalidPlayground
        ? new UsageError(cause.message)
        : new ProgramError(`The playground can't listen: ${reasonOf(cause)}`)
  })
  const { host, port, url } = yield* Effect.acquireRelease(start, (playground) => Effect.promise(playground.close))
  yield* out.line(settings.json ? jsonLine({ listening: `${host}:${port}`, url, rcon }) : url)
  if (!settings.noOpen && out.isTerminal) openInBrowser(url)
  yield* err.line("Whoever has this address can use the bridge. Ctrl-C ends it.")
  yield* Effect.never
}, Effect.scoped)

/** What the system says, with its word for it, which Bun leaves out of the sentence. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code } = cause as NodeJS.ErrnoException
  const message = whyNotListening(cause)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...Array<string>]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Starts the browser and forgets it. */
export const openInBrowser = (url: string): void => {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"]
  const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" })
  child.on("error", () => {})
  child.unref()
}
