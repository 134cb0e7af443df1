// Scans emulated servers in the same process. They are functions without sockets, so that only our own code is measured. Prints a line of
// JSON. It contains the CPU time per server and the garbage per server for each scan, and the peak memory of the process.
//
//   node inMemory.mjs TREE [--scans 10000,20000,20000] [--dead PERCENT] [--concurrency N] [--query info] [--timeout MS]
//
// TREE is an installed checkout. To count garbage, prevent collections with these flags of Node: --min-semi-space-size=64
// --max-semi-space-size=64
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { bundled } from "../published.mjs"

const defaults = { scans: "10000,20000,20000,20000", dead: "0", concurrency: "100", query: "info", timeout: "300" }
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: "string", default: value }])
  )
})
const tree = resolve(positionals[0] ?? ".")
const [dead, concurrency] = [Number(values.dead), Number(values.concurrency)]

// In checkouts of earlier versions, core has no separate entry for transports.
const entry = existsSync(join(tree, "packages/core/src/transport.ts")) ? "transport" : "index"
const { Datagrams, Effect, Layer, scanWith } = await bundled(
  `core${tree.replaceAll(/\W/g, "-")}`,
  `export { Datagrams, scanWith } from "./packages/core/src/${entry}.ts"
export * as Effect from "effect/Effect"
export * as Layer from "effect/Layer"`,
  tree
)
const fixtures = await bundled("fixtures", `export * from "./tooling/bench/decode/fixtures.mjs"`)

const challenge = Buffer.from([255, 255, 255, 255, 0x41, 1, 2, 3, 4])
const replies = { 0x54: [fixtures.info], 0x55: [fixtures.players], 0x56: fixtures.ruleFragments }
const NO_CHALLENGE = { 0x54: 25, 0x55: 0, 0x56: 0 }

/** The datagrams with which a server replies to a request. If the request contains no challenge, the server replies with its challenge. */
const answersTo = (request) => {
  const type = request[4]
  const hasChallenge = request.length > NO_CHALLENGE[type] && request[request.length - 1] === 4
  return hasChallenge ? replies[type] : [challenge]
}

let waiting = []
const answer = () => {
  const due = waiting
  waiting = []
  for (let i = 0; i < due.length; i += 4)
    for (const datagram of due[i]) due[i + 1].onDatagram(datagram, due[i + 2], due[i + 3])
}

const isDead = (address) => dead > 0 && Number(address.slice(address.lastIndexOf(".") + 1)) % 100 < dead

const sendFor = (handler) => (request, address, port) => {
  if (isDead(address)) return
  if (waiting.length === 0) setImmediate(answer)
  // For each datagram, a real socket creates a new string with the sender's address. To create such a string here, too, the next line
  // converts the address into bytes, and the bytes into a string.
  waiting.push(answersTo(request), handler, Buffer.from(address, "latin1").toString("latin1"), port)
}

const datagrams = Layer.succeed(Datagrams, {
  open: (_options, handler) =>
    Effect.sync(() => {
      const send = sendFor(handler)
      return { local: { address: "0.0.0.0", port: 1 }, receiveBufferBytes: 1 << 22, send, sendQuietly: send }
    }),
  resolve: () => Effect.die("names are not looked up")
})

function* targets(count) {
  for (let i = 0; i < count; i++) yield `10.${(i >>> 16) & 255}.${(i >>> 8) & 255}.${i & 255}:27015`
}

/**
 * The memory in bytes that the current scan has allocated. Each call of `look` adds the growth of the heap since the previous call. If the
 * heap has shrunk because V8 collected garbage, the allocated amount is unknown, and `look` adds nothing.
 */
let allocated = 0
let before = 0
const look = () => {
  const { heapUsed } = process.memoryUsage()
  if (heapUsed > before) allocated += heapUsed - before
  before = heapUsed
}

const scan = scanWith(datagrams)
// During its first scan, a process loads some code. Therefore this program first runs a scan without targets, which is not measured.
for await (const batch of scan([]).batches()) throw new Error(`${batch.length} results of nothing`)
const scans = []
for (const count of values.scans.split(",").map(Number)) {
  const startedAt = process.cpuUsage()
  allocated = 0
  before = process.memoryUsage().heapUsed
  let [answered, done, next] = [0, 0, 0]
  for await (const batch of scan(targets(count), values.query, {
    concurrency,
    timeoutMs: Number(values.timeout),
    retries: 1
  }).batches()) {
    done += batch.length
    for (const { _tag } of batch) if (_tag === "Answered") answered++
    if (done < next) continue
    next = done + 500
    look()
  }
  const { system, user } = process.cpuUsage(startedAt)
  scans.push({ count, answered, cpuUs: (system + user) / count, bytes: Math.round(allocated / count) })
}
console.log(JSON.stringify({ scans, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }))
