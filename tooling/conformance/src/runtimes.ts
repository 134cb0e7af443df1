/**
 * The runtimes that everything is run on, and how to run a program on one. A program is bundled first, for the oldest Node: that is
 * what is published, and Node 22 does not know all of the sources' syntax.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { programs } from "../../programs/programs.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** A runtime: its column in the table, its package, and its command. */
export interface Runtime {
  readonly name: string
  readonly transport: string
  readonly command: readonly [program: string, ...args: Array<string>]
  /** How `run.ts` runs the suite there; as a module with top-level `await` if absent. */
  readonly style?: "batched" | "main"
}

const deno = [programs.deno, "run", "--no-config", "--no-prompt", "--unstable-net", "--allow-net"] as const

/** Every runtime, with the permissions that it needs and no others. */
export const runtimes: ReadonlyArray<Runtime> = [
  { name: "Node 22", transport: "@sourcewire/transport-node", command: [programs.node22] },
  { name: "Node 24", transport: "@sourcewire/transport-node", command: [programs.node] },
  { name: "Deno", transport: "@sourcewire/transport-deno", command: deno },
  { name: "Bun", transport: "@sourcewire/transport-bun", command: [programs.bun] }
]

/** Every runtime, with a program that does not wait for the suite at its top level. */
export const mainRuntimes: ReadonlyArray<Runtime> = runtimes.map((runtime) => ({
  ...runtime,
  name: `${runtime.name}, main()`,
  style: "main"
}))

/** The command that runs a bundled file of tests with Deno's own test runner. */
export const denoTestRuntime: Runtime = {
  name: "Deno.test",
  transport: "@sourcewire/transport-deno",
  command: [programs.deno, "test", "--no-config", "--no-check", "--no-prompt", "--unstable-net", "--allow-net"]
}

/** Bun with Node's transport, as in the single-file programs. */
export const singleFileRuntime: Runtime = {
  name: "Bun, node:dgram",
  transport: "@sourcewire/transport-node",
  command: [programs.bun]
}

/** Those whose transport can do batched system calls, which are Linux's. */
export const batchedRuntimes: ReadonlyArray<Runtime> =
  process.platform === "linux"
    ? [
        {
          name: "Node 26, batched",
          transport: "@sourcewire/transport-node",
          command: [programs.node26, "--experimental-ffi", "--disable-warning=ExperimentalWarning"],
          style: "batched"
        },
        {
          name: "Deno, batched",
          transport: "@sourcewire/transport-deno",
          command: [...deno, "--allow-ffi"],
          style: "batched"
        },
        { name: "Bun, batched", transport: "@sourcewire/transport-bun", command: [programs.bun], style: "batched" }
      ]
    : []

/** Makes one file of a program and all that it imports. */
export const bundle = async (program: string, outfile: string): Promise<void> => {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    absWorkingDir: root,
    logLevel: "error"
  })
}

/** How a program ended. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** `null` when it did not end by itself and was stopped. */
  readonly status: number | null
}

/** Runs a program until it ends; one that does not is stopped after `patienceMs`. */
export const run = ({ command }: Runtime, args: ReadonlyArray<string>, patienceMs: number): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const [program, ...first] = command
    const child = spawn(program, [...first, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: patienceMs,
      // Half a second after its start it would ask the network for a newer Deno, and panic where there is no descriptor for that.
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.once("error", reject)
    child.once("close", (status) => resolve({ stdout, stderr, status }))
  })
