// Where the time of a scan goes and who owns it: ours beside a loop over the sockets, each profiled over the same servers.
import { readFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clients, decodingLoops, pairsWith, rawLoops } from "./clients.mjs"
import { startFarm } from "../farm/farmProcess.ts"
import { compare, fixed } from "./runs.mjs"

const SYSTEM = "sockets: system calls, delivery to the farm included"
const OUTSIDE = "outside JavaScript: event loop, what Node receives"
const RUNTIME = "sockets: the runtime's JavaScript, our batches"
const DECODING = "joining and decoding"
const ASKING = "questions: core's query and engine, or the loop"
const SCAN = "scan: targets, limits, results"
const EFFECT = "Effect"
const CHECKING = "the benchmark's look at each result"
const COLLECTOR = "collector, on the main thread"
const THREADS = "other threads: compilers, collectors"
const OWNERS = [SYSTEM, OUTSIDE, RUNTIME, DECODING, ASKING, SCAN, EFFECT, CHECKING, COLLECTOR, THREADS]

/** Functions without JavaScript; any other is part of what calls it. */
const NATIVE = new Map(
  Object.entries({
    send: SYSTEM,
    sendMany: SYSTEM,
    op_net_send_udp: SYSTEM,
    op_net_recv_udp: SYSTEM,
    sendmmsg: SYSTEM,
    recvmmsg: SYSTEM,
    "(program)": OUTSIDE,
    "(garbage collector)": COLLECTOR
  })
)

/**
 * Owners by the path of a source; the first that fits counts.
 *
 * @type {ReadonlyArray<readonly [path: RegExp, owner: string]>}
 */
const SOURCES = [
  [/packages\/protocol\/|bench\/decode\//, DECODING],
  [/packages\/core\/src\/(scan|client)\//, SCAN],
  [/packages\/core\/|bench\/raw\/loop/, ASKING],
  [/packages\/transport-|bench\/raw\/sockets|^node:|^ext:/, RUNTIME],
  [/effect\//, EFFECT],
  [/bench\//, CHECKING]
]

/** The calls of C have no name on Deno; on Bun they are part of the function that makes them. */
const isCallOfC = ({ functionName, url }, source) =>
  (url === "" && functionName === "") ||
  (source.includes("batchedSocket") && ["flush", "onDatagram"].includes(functionName))

const bundles = new Map()

/** Where each line of a bundle comes from, as its comments say; any other file is its own source. */
const sourceOf = ({ lineNumber, url }) => {
  if (!url.includes("sourcewire-bench/")) return url
  if (!bundles.has(url)) {
    let source = url
    const lines = readFileSync(new URL(url, "file://"), "utf8").split("\n")
    bundles.set(
      url,
      lines.map((line) => (source = /^ *\/\/ (\S+\.(?:ts|js|mjs))$/.exec(line)?.[1] ?? source))
    )
  }
  return bundles.get(url)[lineNumber] ?? url
}

const ownersOf = ({ all, main, profile }) => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const callers = new Map(profile.nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id])))
  const ownerOf = (id) => {
    const node = nodes.get(id)
    if (node === undefined) return OUTSIDE
    const { callFrame } = node
    const source = sourceOf(callFrame)
    if (isCallOfC(callFrame, source)) return SYSTEM
    if (source === "") return NATIVE.get(callFrame.functionName) ?? ownerOf(callers.get(id))
    return SOURCES.find(([path]) => path.test(source))?.[1] ?? RUNTIME
  }
  const samples = profile.samples.filter((id) => nodes.get(id)?.callFrame.functionName !== "(idle)")
  const seconds = new Map([[THREADS, all - main]])
  for (const id of samples) {
    const owner = ownerOf(id)
    seconds.set(owner, (seconds.get(owner) ?? 0) + main / samples.length)
  }
  return seconds
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)

/** Profiles each client in turn; microseconds per server by owner, by the client's name. */
const measure = async (list, { concurrency, n, rounds, workload }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-profile-"))
  await using farm = await startFarm({ n })
  const args = ["--targets", farm.targets(), "--workload", workload]
  const found = new Map(list.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const files = new Map(list.map(({ name }, i) => [name, join(folder.path, `${round}-${i}.json`)]))
    const profiled = list.map((client) => ({
      ...client,
      command: [...client.command, "--profile", files.get(client.name)]
    }))
    const ran = await compare(farm, profiled, args, () => concurrency, 1)
    for (const name of ran.keys()) found.get(name).push(ownersOf(JSON.parse(readFileSync(files.get(name), "utf8"))))
  }
  const mean = (all) =>
    OWNERS.map((owner) => [owner, (1e6 / n / all.length) * sum(all.map((one) => one.get(owner) ?? 0))])
  const ran = [...found].filter(([, all]) => all.length > 0)
  return Object.fromEntries(ran.map(([name, all]) => [name, Object.fromEntries(mean(all))]))
}

/** Owners of most of what ours takes besides. */
const MOST_NAMED = 4

/** Processor time by owner: of `n` servers' INFO (B) beside the raw loops, or of all three queries (D) beside those that decode. */
export const profile = async (setting) => {
  const pairs = pairsWith(setting.workload === "D" ? decodingLoops : rawLoops)
  const list = [...clients, ...decodingLoops].filter(({ name }) => pairs.flat().includes(name))
  const found = await measure(list, setting)
  const measured = pairs.filter((pair) => pair.every((name) => name in found))
  const total = (name) => sum(Object.values(found[name]))
  const row = (title, of) => [title, ...measured.map((pair) => pair.map((name) => fixed(of(name), 1)).join(" / "))]
  return {
    rounds: setting.rounds,
    table: [
      ["CPU µs per server, ours / the loop", ...measured.map(([name]) => name.replace("sourcewire on ", ""))],
      ...OWNERS.map((owner) => row(owner, (name) => found[name][owner])),
      row("all", total)
    ],
    notes: measured.map(([ours, limit]) => {
      const gaps = OWNERS.map((owner) => ({ owner, gap: found[ours][owner] - found[limit][owner] }))
      const largest = gaps.toSorted((a, b) => Math.abs(b.gap) - Math.abs(a.gap)).slice(0, MOST_NAMED)
      const signed = (value) => `${value < 0 ? "−" : "+"}${fixed(Math.abs(value), 1)}`
      const parts = largest.map(({ gap, owner }) => `${signed(gap)} ${owner}`).join("; ")
      return `${ours}: ${signed(total(ours) - total(limit))} µs. ${parts}`
    })
  }
}
