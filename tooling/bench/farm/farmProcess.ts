/**
 * Runs the farm of emulated servers as a process: compiles the farm if its source has changed, starts it with the servers of a workload,
 * and reads its counts of datagrams.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { lineReader } from "../lineReader.ts"

const PORT = 17_115
const FIRST = 0x7f_14_00_01
const source = fileURLToPath(new URL("farm.c", import.meta.url))
/** The folder for compiled programs. */
export const cache = fileURLToPath(new URL("../../../node_modules/.cache/sourcewire-bench/", import.meta.url))

const runs = (...command: ReadonlyArray<string>): boolean =>
  spawnSync(command[0]!, [...command.slice(1), "true"]).status === 0

/**
 * The command that raises the priority of a process, if the system permits it. The priority is not real-time: with real-time priority, the
 * compiler threads of a runtime would run only while the client's main thread waits.
 */
const first = runs("nice", "-n", "-10") ? ["nice", "-n", "-10"] : []

/**
 * If the farm receives no datagram for this number of microseconds, it stops polling its socket and sleeps until the next datagram arrives.
 */
const SPIN_US = 100

/** Returns a command that runs `command` on one CPU, so that the client and the farm can use different CPUs. */
export const pinned = (cpu: number, command: ReadonlyArray<string>): readonly [string, ...Array<string>] => {
  const before = runs("taskset", "-c", String(cpu)) ? ["taskset", "-c", String(cpu), ...first] : []
  const [program, ...args] = [...before, ...command]
  return [program!, ...args]
}

/**
 * Compiles a C program if its source has changed, and returns the path of the binary. If the compiler rejects the flags, the program is
 * compiled again without them. Throws if the second compilation fails, too.
 */
export const compiled = (path: string, ...flags: ReadonlyArray<string>): string => {
  mkdirSync(cache, { recursive: true })
  const binary = join(cache, basename(path, ".c"))
  if (existsSync(binary) && statSync(binary).mtimeMs > statSync(path).mtimeMs) return binary
  const gcc = (...more: ReadonlyArray<string>) =>
    spawnSync("gcc", ["-O2", "-Wall", "-Wextra", "-o", binary, path, ...more], { encoding: "utf8" })
  if (gcc(...flags).status === 0) return binary
  const { error, status, stderr } = gcc()
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
    throw new Error(`There is no gcc on this machine, and ${basename(path)} is written in C.`)
  if (status !== 0) throw new Error(`${basename(path)} does not compile:\n${stderr}`)
  return binary
}

/** Compiles the farm if its source has changed, and returns the path of its binary. */
export const compile = (): string => compiled(source, "-DWITH_BZIP2", "-lbz2")

const dotted = (number: number): string =>
  [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255].join(".")

export const writeTargets = (count: number, port = PORT): string => {
  const file = join(cache, `targets-${count}-${port}.txt`)
  writeFileSync(file, Array.from({ length: count }, (_, i) => `${dotted(FIRST + i)}:${port}\n`).join(""))
  return file
}

/** Starts a farm with options such as `{ n: 10000, loss: 1 }`. */
export const startFarm = async (options: Readonly<Record<string, number>> & { readonly n: number }, port = PORT) => {
  const flags = Object.entries({ spin: SPIN_US, ...options }).flatMap(([name, value]) => [`--${name}`, String(value)])
  const [program, ...args] = pinned(1, [compile(), "--port", String(port), "--base", dotted(FIRST), ...flags])
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
  const next = lineReader(child.stdout)
  if ((await next()) !== "ready") throw new Error(`the farm does not start: is port ${port} taken?`)
  return {
    pid: child.pid!,
    /** Writes the list of the farm's servers to a file, and returns its path. */
    targets: () => writeTargets(options.n, port),
    reset: () => child.kill("SIGUSR1"),
    counts: async () => {
      child.kill("SIGUSR2")
      return JSON.parse(await next()) as Readonly<Record<string, number>>
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit")
      child.stdin.end()
      await ended
    }
  }
}
