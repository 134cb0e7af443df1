/** The program under measurement, as it is published, in a process of its own: what it says of itself, and what it takes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { run } from "../../packaging/src/packed.ts"
import { programs } from "../../programs/programs.mjs"
import { processorSeconds } from "../processorTime.ts"
import { root } from "../report.ts"

/** Builds the program; gives its folder, which is removed in the end. */
export const buildProgram = async () => {
  const folder = mkdtempSync(join(tmpdir(), "sourcewire-monitor-"))
  await run(programs.node, [join(root, "tooling/presets/program.ts"), folder], join(root, "apps/cli"))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** A monitor or an exporter that runs. */
export interface Program {
  readonly url: string
  /** Seconds of processor time until now. */
  readonly cpu: () => number
  /** Resident memory, in MB. */
  readonly rss: () => number
  /** The values of a metric of its own, by labels. */
  readonly metric: (name: string) => Promise<ReadonlyMap<string, number>>
  readonly stop: () => Promise<void>
}

/** Starts a command of the program with a configuration. */
export const startProgram = async (
  folder: string,
  command: "monitor" | "exporter",
  config: object
): Promise<Program> => {
  const file = join(folder, "monitor.json")
  writeFileSync(file, JSON.stringify(config))
  rmSync(join(folder, "store.db"), { force: true })
  const store = command === "monitor" ? ["--store", join(folder, "store.db")] : []
  const args = [join(folder, "sourcewire.js"), command, "--json", "--bind", "127.0.0.1:0", "--config", file, ...store]
  const child = spawn(programs.node, args, { stdio: ["ignore", "pipe", "inherit"] })
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const { url } = JSON.parse(String(value)) as { url: string }
  const proc = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, "utf8")
  return {
    url,
    cpu: () => processorSeconds(child.pid!),
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(proc("status"))![1]) / 1024,
    metric: async (name) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"))
      return new Map([...lines].map(([, labels = "", number]) => [labels, Number(number)]))
    },
    stop: async () => {
      const ended = once(child, "exit")
      child.kill()
      await ended
    }
  }
}

/** Processor time for each second of the next ones. */
export const load = async ({ cpu }: Program, seconds: number): Promise<number> => {
  const [before, began] = [cpu(), performance.now()]
  await sleep(seconds * 1000)
  return ((cpu() - before) / (performance.now() - began)) * 1000
}
