/**
 * RCON servers for tests of the command line.
 *
 * @module
 */
import { emulatedConsole, profiles } from "@sourcewire/emulator"
import { type Profile, type Responder, startRconServer } from "@sourcewire/server"
import type { PromiseRconServerOptions, RunningRconServer, SourceRconServerOptions } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The password of the servers. It contains a blank, because passwords may contain blanks. No output of the program may contain it. */
export const PASSWORD = "open sesame 42"

/** The environment variable that passes the password to the program. */
export const env: Readonly<Record<string, string>> = { SOURCEWIRE_RCON_PASSWORD: PASSWORD }

/** A running server. `where` is its address, `127.0.0.1:PORT`. */
export interface Served extends RunningRconServer {
  readonly where: string
  /** The received commands, except for `echo sourcewire`. A client sends this command to check the password over UDP. */
  readonly commands: ReadonlyArray<string>
  /** Returns a promise that resolves when the server has received this command. */
  readonly received: (command: string) => Promise<void>
}

/**
 * Starts the console of an emulated server. The server never replies to the command `forever`. As on GoldSource, the command
 * `rcon_password` prints the password.
 */
export const serveRcon = async (
  engine: PromiseRconServerOptions["engine"],
  options: Pick<SourceRconServerOptions, "attempts" | "segments"> & { readonly queries?: Responder } = {},
  profile: Profile = profiles.css()
): Promise<Served> => {
  const emulated = emulatedConsole(profile)
  const commands: Array<string> = []
  const waiting: Array<{ readonly command: string; readonly resolve: () => void }> = []
  const server = await startRconServer({
    ...options,
    transport: layer,
    engine,
    port: 0,
    password: PASSWORD,
    handler: (command, from) => {
      if (command !== "echo sourcewire") commands.push(command)
      for (const one of waiting) if (one.command === command) one.resolve()
      if (command === "forever") return Effect.never
      if (command === "log") return `Rcon: "rcon 1 "${PASSWORD}" status" from "127.0.0.1:1"\n`
      return command === "rcon_password" ? `"rcon_password" is "${PASSWORD}"\n` : emulated(command, from)
    }
  })
  const received = (command: string): Promise<void> =>
    new Promise((resolve) => (commands.includes(command) ? resolve() : waiting.push({ command, resolve })))
  return { ...server, where: `127.0.0.1:${server.local.port}`, commands, received }
}

/** Creates a file that is removed at the end of the test. */
export const file = async (content: string): Promise<AsyncDisposable & { readonly path: string }> => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
  const path = join(directory, "file.txt")
  await writeFile(path, content)
  return { path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
}
