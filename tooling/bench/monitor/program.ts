/** Runs the published program in a separate process, and reads its output, its processor time and its memory. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { lineReader } from "../lineReader.ts"
import { processorSeconds } from "../processorTime.ts"

/** A running monitor or exporter. Disposing of this object stops the process. */
export type Program = Awaited<ReturnType<typeof startProgram>>

/**
 * Starts the monitor or the exporter. The configuration and the monitor's store are files in `folder`. By default, the program listens on a
 * free port of loopback, and the store is empty.
 */
export const startProgram = async (
  program: ReadonlyArray<string>,
  folder: string,
  command: "monitor" | "exporter",
  config: object,
  { keepStore = false, port = 0 } = {}
) => {
  const file = join(folder, "monitor.json")
  writeFileSync(file, JSON.stringify(config))
  if (!keepStore) rmSync(join(folder, "store.db"), { force: true })
  const store = command === "monitor" ? ["--store", join(folder, "store.db")] : []
  const args = [...program, command, "--json", "--bind", `127.0.0.1:${port}`, "--config", file, ...store]
  const child = spawn(args[0]!, args.slice(1), { stdio: ["ignore", "pipe", "inherit"] })
  const { url } = JSON.parse(await lineReader(child.stdout)()) as { url: string }
  const proc = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, "utf8")
  return {
    url,
    /** Processor time until now, in seconds. */
    cpu: () => processorSeconds(child.pid!),
    /** Resident memory, in MB. */
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(proc("status"))![1]) / 1024,
    /** The values of one metric of the program. The keys are the labels as text, such as `state="up"`. */
    metric: async (name: string): Promise<ReadonlyMap<string, number>> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"))
      return new Map([...lines].map(([, labels = "", number]) => [labels, Number(number)]))
    },
    signal: (signal: NodeJS.Signals): boolean => child.kill(signal),
    kill: async (): Promise<void> => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, "exit")
      child.kill()
      await ended
    }
  }
}

/** Waits for `seconds`. Returns the processor time that the program used in this period, as a share of one core. */
export const load = async ({ cpu }: Program, seconds: number): Promise<number> => {
  const [before, began] = [cpu(), performance.now()]
  await sleep(seconds * 1000)
  return ((cpu() - before) / (performance.now() - began)) * 1000
}
