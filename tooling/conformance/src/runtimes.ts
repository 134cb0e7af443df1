/**
 * The tested runtimes, and functions to run a program on them. The oldest supported runtime, Node 22, does not support all syntax of the
 * sources. Therefore each program is bundled for Node 22 before it runs. The published packages also consist of bundles.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { build } from "rolldown"
import { programs } from "../../programs/programs.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** A runtime: its column title in the table of results, its transport package, and the command that starts it. */
export interface Runtime {
  readonly name: string
  readonly transport: string
  readonly command: readonly [program: string, ...args: Array<string>]
  /** How `run.ts` runs the suite on this runtime (default: as a module with top-level `await`). */
  readonly style?: "batched" | "main"
}

const deno = [programs.deno, "run", "--no-config", "--no-prompt", "--unstable-net", "--allow-net"] as const

/** Every runtime, started with only the permissions that the suite needs. */
export const runtimes: ReadonlyArray<Runtime> = [
  { name: "Node 22", transport: "@sourcewire/transport-node", command: [programs.node22] },
  { name: "Node 24", transport: "@sourcewire/transport-node", command: [programs.node] },
  { name: "Deno", transport: "@sourcewire/transport-deno", command: deno },
  { name: "Bun", transport: "@sourcewire/transport-bun", command: [programs.bun] }
]

/** Every runtime with the style `main`: the module of the program has no top-level `await`. */
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

/** Bun with Node's transport. The single-file programs use this combination. */
export const singleFileRuntime: Runtime = {
  name: "Bun, node:dgram",
  transport: "@sourcewire/transport-node",
  command: [programs.bun]
}

/** The runtimes whose transport supports batched system calls, on Linux. */
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

/** Bundles a program and its imports into one file. */
export const bundle = async (program: string, outfile: string): Promise<void> => {
  await build({
    input: program,
    cwd: root,
    external: /^bun:/,
    platform: "node",
    transform: { target: "node22" },
    logLevel: "silent",
    output: { file: outfile, format: "esm", codeSplitting: false }
  })
}

/** The output and the exit code of a process. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** Exit code of the process. `null` if the process was stopped. */
  readonly status: number | null
}

/** Runs a process until it exits. If the process runs longer than `patienceMs`, `spawn` stops the process. */
export const run = ({ command }: Runtime, args: ReadonlyArray<string>, patienceMs: number): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const [program, ...first] = command
    const child = spawn(program, [...first, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: patienceMs,
      // Without this setting, Deno checks for updates half a second after its start, and panics if no file descriptor is left.
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.once("error", reject)
    child.once("close", (status) => resolve({ stdout, stderr, status }))
  })
