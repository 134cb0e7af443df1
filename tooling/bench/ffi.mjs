// Batched system calls, as an experiment (see ffi/batched.mjs) and as our transports have them, beside our plain transports and the raw
// loops over each runtime's own sockets: seconds for a scan of 10 000 servers. Node takes part when it has `node:ffi`: run this under
// Node 26, or name one with --node.
//
//   pnpm bench:ffi [--rounds N] [--concurrency N] [--node PROGRAM]
import { spawnSync } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { conditions, plain } from "./report.mjs"
import { bun, clients, deno } from "./scan/clients.mjs"
import { compile, startFarm, writeTargets } from "./scan/farmProcess.mjs"
import { compare, fixed, note } from "./scan/runs.mjs"

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : process.argv[at + 1]
}

const N = 10_000
const node = option("node", process.execPath)
const hasFfi = spawnSync(node, ["--experimental-ffi", "-e", `require("node:ffi")`]).status === 0
const onNode = (file) => [node, "--experimental-ffi", fileURLToPath(new URL(file, import.meta.url))]
const runtimes = [
  ...(hasFfi ? [{ runtime: "Node", interfaceName: "node:ffi", command: onNode }] : []),
  { runtime: "Deno", interfaceName: "Deno.dlopen", command: deno },
  { runtime: "Bun", interfaceName: "bun:ffi", command: bun }
]
const list = [
  ...runtimes.flatMap(({ command, interfaceName, runtime }) => [
    { name: interfaceName, command: command("ffi/batched.mjs") },
    { name: `sourcewire on ${runtime}, batched`, command: [...command("driver.mjs"), "--transport", "batched"] },
    { name: `sourcewire on ${runtime}, plain`, command: [...command("driver.mjs"), "--transport", "plain"] }
  ]),
  ...clients.filter(({ limit }) => limit)
]
if (!hasFfi) note(`${node} has no node:ffi, and is left out.\n`)

const { binary, why } = compile()
if (binary === undefined) {
  console.error(`No experiment: ${why}.`)
  process.exit(1)
}
const farm = await startFarm(binary, { n: N })
const concurrency = Number(option("concurrency", 250))
const medians = await compare(
  farm,
  list,
  ["--targets", writeTargets(N), "--workload", "B"],
  () => concurrency,
  Number(option("rounds", 5))
)
await farm.stop()
const table = [
  ["loop", "seconds", "CPU s", "right"],
  ...[...medians].map(([name, { cpu, n, ok, wall }]) => [name, fixed(wall, 3), fixed(cpu, 3), `${ok} of ${n}`])
]
console.log(`\n${conditions()}\n\n${plain(table)}`)
