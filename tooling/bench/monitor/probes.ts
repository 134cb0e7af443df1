/** Measures probes like those of Prometheus' blackbox exporter: their rate per core, from stored results and with a query. */
import { Agent, get, type IncomingMessage } from "node:http"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { count, note, verdict } from "../Bench.ts"
import { startFarm } from "../farm/farmProcess.ts"
import { buildProgram } from "../builtProgram.ts"
import { type Program, startProgram } from "./program.ts"

const CONNECTIONS = 64
const LEAST_KNOWN = 5000
const LEAST_ASKED = 3000
/** One probe in this many is for a server that does not reply. */
const ONE_DEAD_IN = 200

interface Probed {
  readonly perCore: number
  readonly succeeded: number
  readonly probes: number
  /** Time to the reply of successful probes, in ms. */
  readonly p99: number
}

const probe = async (agent: Agent, url: string, target: string): Promise<boolean> => {
  const [response] = (await once(get(`${url}/probe?target=${target}`, { agent }), "response")) as [IncomingMessage]
  let text = ""
  for await (const chunk of response.setEncoding("utf8")) text += chunk
  return text.includes("\nprobe_success 1\n")
}

/** Sends probes for some seconds, over as many connections as a Prometheus with many targets has. */
const probing = async (program: Program, seconds: number, targetAt: (index: number) => string): Promise<Probed> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS * 4 })
  const times: Array<number> = []
  let probes = 0
  const run = async (until: number): Promise<void> => {
    const connection = async (): Promise<void> => {
      while (performance.now() < until) {
        const began = performance.now()
        if (await probe(agent, program.url, targetAt(probes++))) times.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  }
  await run(performance.now() + 5000)
  times.length = 0
  const [cpu, first] = [program.cpu(), probes]
  await run(performance.now() + seconds * 1000)
  const done = probes - first
  const perCore = done / (program.cpu() - cpu)
  agent.destroy()
  times.sort((a, b) => a - b)
  return { perCore, probes: done, succeeded: times.length, p99: times[Math.floor(times.length * 0.99)]! }
}

export const probes = async ({ seconds, servers }: { readonly servers: number; readonly seconds: number }) => {
  await using built = await buildProgram()
  await using farm = await startFarm({ n: servers })
  const targets = readFileSync(farm.targets(), "utf8").trim().split("\n")
  const at = (index: number): string => targets[index % targets.length]!
  const dead = targets[0]!.replace(/:\d+$/, ":9")
  const withProgram = async (config: object, waitMs: number, targetAt: (index: number) => string): Promise<Probed> => {
    await using program = await startProgram(built.path, "exporter", config)
    await sleep(waitMs)
    note(".")
    return await probing(program, seconds, targetAt)
  }
  const asking = { groups: [{ name: "one", targets: [targets[0]!] }], probe: { allow: ["127.0.0.0/8"] } }
  const known = await withProgram({ groups: [{ name: "farm", targets }] }, 20_000, at)
  const asked = await withProgram(asking, 0, (index) => at(index + 1))
  const mixed = await withProgram(asking, 0, (index) => (index % ONE_DEAD_IN === 0 ? dead : at(index + 1)))
  const row = (name: string, { p99, perCore, probes: all, succeeded }: Probed) => [
    name,
    count(Math.round(perCore)),
    count(all),
    count(succeeded),
    `${p99.toFixed(1)} ms`
  ]
  const wanted = (name: string, { perCore }: Probed, least: number): string =>
    verdict(
      `${name}: ${count(Math.round(perCore))} probes per second of CPU time (limit: at least ${count(least)})`,
      perCore >= least
    )
  return {
    table: [
      ["", "probes per second and core", "probes", "succeeded", "p99"],
      row("monitored servers", known),
      row("other servers", asked),
      row(`other servers, one in ${ONE_DEAD_IN} dead`, mixed)
    ],
    notes: [
      wanted("monitored servers", known, LEAST_KNOWN),
      wanted("other servers", asked, LEAST_ASKED),
      verdict(
        `one in ${ONE_DEAD_IN} dead: 99 % of the other probes took at most ${mixed.p99.toFixed(1)} ms (without dead servers: ${asked.p99.toFixed(1)} ms). A probe of a dead server takes 3 s and delays no other probe`,
        mixed.p99 < 1000
      )
    ]
  }
}
