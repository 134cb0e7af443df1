/** A process with many responding servers, and a program that queries them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, type Outcome, run, type Runtime } from "../src/runtimes.ts"

/** The first port of the servers. The ports of all servers are below the range from which operating systems assign ports automatically. */
const FIRST_PORT = 20_000

/** Bundles a program into one temporary file. */
export const bundled = async (source: URL): Promise<AsyncDisposable & { readonly path: string }> => {
  const scratch = await mkdtemp(join(tmpdir(), "sourcewire-conformance-"))
  const path = join(scratch, "program.mjs")
  await bundle(fileURLToPath(source), path)
  return { path, [Symbol.asyncDispose]: () => rm(scratch, { recursive: true }) }
}

/**
 * Starts a program in a separate process, waits for the first output of the program, and returns this output. The program ends when the
 * returned object is disposed, or when this process ends.
 */
export const startProgram = async (
  source: URL,
  args: ReadonlyArray<string>,
  through: ReadonlyArray<string> = []
): Promise<Disposable & { readonly firstOutput: string }> => {
  const [command = "", ...first] = [...through, process.execPath, fileURLToPath(source), ...args]
  const child = spawn(command, first, { stdio: ["pipe", "pipe", "inherit"] })
  const [output] = (await once(child.stdout, "data")) as [Buffer]
  return { firstOutput: output.toString().trim(), [Symbol.dispose]: () => void child.stdin.end() }
}

/** A farm of servers. The method `ask` queries all these servers in parallel. */
export interface RespondingFarm extends AsyncDisposable {
  /**
   * Uses the given runtime to run the program that queries the servers. If the program runs longer than `patienceMs`, the program is
   * stopped.
   */
  readonly ask: (runtime: Runtime, patienceMs: number) => Promise<Outcome>
}

/**
 * Starts servers on consecutive ports of one address. The option `there` is a prefix of the command that starts the servers. With a prefix
 * such as `ip netns exec NAME`, the servers run in another network namespace or on another host.
 */
export const startRespondingFarm = async (
  address: string,
  count: number,
  options: { readonly timeoutMs?: number; readonly there?: ReadonlyArray<string> } = {}
): Promise<RespondingFarm> => {
  await using made = new AsyncDisposableStack()
  const program = made.use(await bundled(new URL("../src/manyCalls.ts", import.meta.url)))
  const place = [address, String(FIRST_PORT), String(count)]
  made.use(await startProgram(new URL("../src/farm.ts", import.meta.url), place, options.there))
  const args = [program.path, ...place, ...(options.timeoutMs === undefined ? [] : [String(options.timeoutMs)])]
  const all = made.move()
  return {
    ask: (runtime, patienceMs) => run(runtime, args, patienceMs),
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

/** Returns a copy of `runtime` whose programs can open only `descriptors` file descriptors. */
export const withDescriptors = (runtime: Runtime, descriptors: number): Runtime => ({
  ...runtime,
  command: ["sh", "-c", `ulimit -n ${descriptors}; exec "$0" "$@"`, ...runtime.command]
})
