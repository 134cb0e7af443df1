/** Starts a game server of another author, and removes the folder of this server when the server is stopped. */
import { type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"

/**
 * Starts a program, and waits until the promise of `untilUp` is fulfilled. When the returned object is disposed, the program is killed and
 * the folder is removed.
 */
export const startProgram = async (
  program: string,
  args: ReadonlyArray<string>,
  folder: string,
  options: SpawnOptions,
  untilUp: () => Promise<unknown>
): Promise<AsyncDisposable> => {
  const server = spawn(program, args, { stdio: "ignore", env: { ...process.env, HOME: folder }, ...options })
  const ended = once(server, "exit")
  const close = async (): Promise<void> => {
    server.kill("SIGKILL")
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilUp()
  } catch (error) {
    await close()
    throw error
  }
  return { [Symbol.asyncDispose]: close }
}
