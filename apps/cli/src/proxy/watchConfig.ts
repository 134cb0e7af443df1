/**
 * Reads a configuration file again when it has changed or SIGHUP asks for it. Looking once a second works wherever files do: on network
 * drives, and where editors and orchestrators put another file in the place of the old one.
 */
import type { Proxy, ProxyServerOptions } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readFile, stat } from "node:fs/promises"
import { UsageError } from "../exitCode.ts"
import { plural } from "../view/quantities.ts"
import { serversOfFile } from "./config.ts"
import type { Log } from "./log.ts"
import { atHangUp } from "./outlive.ts"

const LOOK_MS = 1000

/** No list of servers is longer. */
const MAX_FILE_BYTES = 1024 * 1024

/** The servers in a file; the error names it. */
export const readConfig = (file: string): Effect.Effect<ReadonlyArray<ProxyServerOptions>, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error("it is too large")
      return await readFile(file, "utf8")
    },
    catch: (cause) => new UsageError({ message: (cause as Error).message })
  }).pipe(
    Effect.flatMap((text) => Effect.fromResult(serversOfFile(text))),
    Effect.mapError(({ message }) => new UsageError({ message: `${file}: ${message}` }))
  )

/** Differs when the file is another one or has been written to. */
const signatureOf = (file: string): Effect.Effect<string> =>
  Effect.promise(() =>
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => "missing"
    )
  )

/** Keeps a proxy as its file says, for the life of the scope. A file that makes no sense changes nothing, and the log says why. */
export const watchConfig = Effect.fnUntraced(function* (file: string, proxy: Proxy, log: Log) {
  let isAsked = false
  yield* atHangUp(() => (isAsked = true))
  let known = yield* signatureOf(file)

  const reload = Effect.gen(function* () {
    const servers = yield* readConfig(file)
    yield* proxy.reconfigure(servers)
    log("info", "reloaded", `${file} is in force: ${plural(servers.length, "server")}`, {
      file,
      servers: servers.length
    })
  }).pipe(
    Effect.result,
    Effect.map((result) => {
      if (Result.isSuccess(result)) return
      const { message } = result.failure
      log("error", "reload-failed", `the configuration stays as it was. ${message}`, { file, reason: message })
    })
  )

  yield* Effect.gen(function* () {
    while (true) {
      yield* Effect.sleep(LOOK_MS)
      const now = yield* signatureOf(file)
      if (now === known && !isAsked) continue
      known = now
      isAsked = false
      yield* reload
    }
  }).pipe(Effect.forkScoped)
})
