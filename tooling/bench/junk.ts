/**
 * A proxy under a flood of junk: how many honest tries are answered meanwhile, each of them one datagram for the challenge and one for
 * INFO, with nothing ever sent twice; what the system drops, and what a junk datagram costs. Prints a table; with --write it goes to
 * docs/benchmarks/junk.md too.
 *
 *     pnpm bench:junk [--seconds S] [--realtime] [--write]
 *
 * Linux with gcc. Proxy and flood have a CPU each; with --realtime nothing else has them, as on a machine of their own. Exits with 1
 * when a criterion is missed. Everything is on loopback.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { compiled } from "./farm/farmProcess.ts"
import { linesOf } from "./linesOf.ts"
import { processorSeconds } from "./processorTime.ts"
import { options, report } from "./report.ts"
import { INFO, open } from "./responder/load.ts"

const { realtime: isRealtime, seconds, write } = options({ seconds: 10, realtime: false })

/** Junk datagrams per second, and the share of honest tries that has to be answered. */
const RATES: ReadonlyArray<readonly [perSecond: number, wanted: number | undefined]> = [
  [0, 0.99],
  [50_000, 0.99],
  [100_000, 0.5],
  [200_000, undefined]
]

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const program = pathOf("../../apps/cli/src/main.ts")
const junk = compiled(pathOf("responder/junk.c"))

const onCpu = (cpu: number, ...command: ReadonlyArray<string>) => {
  const priority = isRealtime ? ["chrt", "-r", "1"] : []
  const child = spawn("taskset", ["-c", String(cpu), ...priority, ...command], { stdio: ["ignore", "pipe", "ignore"] })
  const next = linesOf(child.stdout)
  return { child, nextLine: async () => JSON.parse(await next()) as Record<string, unknown> }
}

const WAIT_MS = 1000

/** One try of one client: whether each of its two datagrams was answered within a second. */
const isAnswered = async (port: number): Promise<boolean> => {
  const socket = await open("127.0.0.1")
  const ask = (request: Buffer): Promise<Buffer | undefined> => {
    socket.send(request, port, "127.0.0.1")
    return Promise.race([
      once(socket, "message").then(([reply]) => reply as Buffer),
      sleep(WAIT_MS, undefined, { ref: false })
    ])
  }
  const challenge = await ask(INFO)
  const reply = challenge === undefined ? undefined : await ask(Buffer.concat([INFO, challenge.subarray(5)]))
  socket.close()
  return reply?.[4] === 0x49
}

const game = onCpu(1, process.execPath, program, "serve", "--port", "0", "--profile", "css")
const { listening: upstream } = await game.nextLine()
const flags = ["--upstream", String(upstream), "--bind", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
const proxy = onCpu(0, process.execPath, program, "proxy", ...flags)
const { metrics } = await proxy.nextLine()
const port = Number(String((await proxy.nextLine())["listening"]).split(":")[1])
while (!(await isAnswered(port))) await sleep(100)

const metric = (text: string, name: string): number =>
  Number(new RegExp(`^sourcewire_proxy_${name}.* (\\d+)$`, "m").exec(text)?.[1] ?? 0)

const countsOf = async () => {
  const text = await (await fetch(String(metrics))).text()
  return {
    junk: metric(text, 'requests_total\\{.*kind="other"'),
    dropped: metric(text, "kernel_drops_total"),
    cpuMs: 1000 * processorSeconds(proxy.child.pid!)
  }
}

const failures: Array<string> = []
const rows: Array<ReadonlyArray<string | number>> = []
const load = loadavg()[0]!.toFixed(1)
for (const [perSecond, wanted] of RATES) {
  const before = await countsOf()
  const flood =
    perSecond === 0
      ? undefined
      : onCpu(1, junk, "--port", String(port), "--rate", String(perSecond), "--seconds", String(seconds))
  const endsAt = performance.now() + seconds * 1000
  let tries = 0
  let answered = 0
  const honest = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      tries++
      if (await isAnswered(port)) answered++
      await sleep(20)
    }
  }
  await Promise.all([honest(), honest(), honest(), honest()])
  const sent = flood === undefined ? 0 : Number((await flood.nextLine())["sent"])
  const after = await countsOf()
  const read = after.junk - before.junk
  rows.push([
    perSecond,
    Math.round(sent / seconds),
    `${answered} of ${tries}`,
    wanted === undefined ? "" : `at least ${100 * wanted} %`,
    after.dropped - before.dropped,
    read === 0 ? "" : ((1000 * (after.cpuMs - before.cpuMs)) / read).toFixed(1)
  ])
  if (wanted !== undefined && answered < wanted * tries)
    failures.push(`at ${perSecond} a second ${answered} of ${tries} tries were answered`)
}
proxy.child.kill()
game.child.kill()

report({
  file: "junk.md",
  title: "A proxy under a flood of junk",
  about: `Random datagrams of up to 255 bytes from 64 addresses, for ${seconds} seconds at each rate, against a \`sourcewire proxy\` on loopback. Four honest clients try again and again: one datagram for the challenge and one for INFO, never sent twice, each answered within a second or not. Proxy and flood have a CPU each${isRealtime ? ", at real-time priority" : ""}; the machine's load was ${load} before. Made by \`pnpm bench:junk --write\`${isRealtime ? " with `--realtime`" : ""}.`,
  table: [
    [
      "junk wanted, 1/s",
      "junk sent, 1/s",
      "honest tries answered",
      "wanted",
      "dropped by the kernel",
      "CPU per datagram, µs"
    ],
    ...rows
  ],
  notes: [
    "CPU time is the proxy's, honest queries and its own refreshing included. Nearly all of it is the kernel's and Node's for handing a datagram over; what the proxy does to tell junk is some 2 %.",
    "The proxy asks for a receive queue of 16 MiB and gets what `net.core.rmem_max` allows. With Linux's usual 208 KiB a flood need only wait until the process is off its CPU for a few milliseconds."
  ],
  failures,
  write
})
