/** A process with many responding servers, and a program that queries them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, type Outcome, run, type Runtime } from "../src/runtimes.ts"

/** Below the ports that systems choose by themselves. */
const FIRST_PORT = 20_000

/** A program, made one file, for the time of a test. */
export const bundled = async (source: URL): Promise<AsyncDisposable & { readonly path: string }> => {
  const scratch = await mkdtemp(join(tmpdir(), "sourcewire-conformance-"))
  const path = join(scratch, "program.mjs")
  await bundle(fileURLToPath(source), path)
  return { path, [Symbol.asyncDispose]: () => rm(scratch, { recursive: true }) }
}

/** A program of ours in a process of its own that ends with this one, and the first that it prints. */
export const besides = async (
  source: URL,
  args: ReadonlyArray<string>,
  through: ReadonlyArray<string> = []
): Promise<Disposable & { readonly said: string }> => {
  const [command = "", ...first] = [...through, process.execPath, fileURLToPath(source), ...args]
  const child = spawn(command, first, { stdio: ["pipe", "pipe", "inherit"] })
  const [said] = (await once(child.stdout, "data")) as [Buffer]
  return { said: said.toString().trim(), [Symbol.dispose]: () => void child.stdin.end() }
}

/** A farm, and how to ask all of it at once. */
export interface LivingFarm extends AsyncDisposable {
  /** Runs the querying program on a runtime. Other words can precede the command of the runtime. */
  readonly ask: (runtime: Runtime, patienceMs: number) => Promise<Outcome>
}

/** So many servers at one address; `there` are the words that put a command line on their host. */
export const livingFarm = async (
  address: string,
  count: number,
  options: { readonly timeoutMs?: number; readonly there?: ReadonlyArray<string> } = {}
): Promise<LivingFarm> => {
  await using made = new AsyncDisposableStack()
  const program = made.use(await bundled(new URL("../src/manyCalls.ts", import.meta.url)))
  const place = [address, String(FIRST_PORT), String(count)]
  made.use(await besides(new URL("../src/farm.ts", import.meta.url), place, options.there))
  const args = [program.path, ...place, ...(options.timeoutMs === undefined ? [] : [String(options.timeoutMs)])]
  const all = made.move()
  return {
    ask: (runtime, patienceMs) => run(runtime, args, patienceMs),
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

/** Runs a runtime with a limited number of file descriptors. */
export const withDescriptors = (runtime: Runtime, descriptors: number): Runtime => ({
  ...runtime,
  command: ["sh", "-c", `ulimit -n ${descriptors}; exec "$0" "$@"`, ...runtime.command]
})
