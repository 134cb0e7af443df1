/**
 * The program of the soak test: `node --expose-gc soak.ts [MINUTES]`. For the given time (default: half a minute), one process runs
 * emulated servers, scans, single queries, a proxy, and short RCON sessions. The program prints its figures and a list of problems as JSON.
 * A resource that grew or stayed open is a problem.
 */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { startProxy } from "@sourcewire/proxy"
import { startRconServer } from "@sourcewire/server"
import { setTimeout as sleep } from "node:timers/promises"
import { layer } from "../src/effect.ts"
import { connect, rcon as connectRcon, scan } from "../src/index.ts"

/** Completed operations, by kind. */
interface Done {
  scanned: number
  queries: number
  proxied: number
  commands: number
  sessions: number
  /** Number of failed operations. Each key is a text that contains the error, the server, and sometimes the phase of the query. */
  readonly failed: Map<string, number>
}

const SERVERS = 40

/** Number of commands in one RCON session. */
const COMMANDS = 40

const LINES = "a line of output\n".repeat(400)

/** Profiles that reply to queries. ReHLDS without Steam is excluded, because it does not reply to queries. */
const ANSWERING = profileNames.filter((name) => name !== "rehlds")

const startServers = (): Promise<ReadonlyArray<RunningServer>> =>
  Promise.all(
    Array.from({ length: SERVERS }, (_, i) =>
      startServer({
        transport: layer,
        profile: ANSWERING[i % ANSWERING.length]!,
        // One server in eight loses datagrams, so that retransmission is part of the load.
        ...(i % 8 === 7 ? { faults: { loss: 0.1, duplicate: 0.1, jitterMs: 5, seed: i } } : {})
      })
    )
  )

/** Runs the load until `isOver`, then closes all servers, clients and sessions. */
const runLoad = async (isOver: () => boolean, done: Done): Promise<void> => {
  const servers = await startServers()
  const addresses = servers.map(({ address, port }) => `${address}:${port}`)
  const [first] = addresses
  await using client = await connect()
  await using proxy = await startProxy({
    transport: layer,
    servers: [{ upstream: first!, refreshMs: 500 }]
  })
  await using console = await startRconServer({
    transport: layer,
    engine: "source",
    port: 0,
    password: "soak",
    handler: () => LINES
  })
  const front = proxy.status()[0]!.listening

  const failed = (error: object, address: unknown): void => {
    const { _tag, phase, received, sent } = error as Readonly<Record<string, unknown>>
    const who =
      address === front ? "proxy" : (servers[addresses.indexOf(String(address))]?.profile.name ?? String(address))
    const when =
      phase === undefined ? "" : ` in phase ${String(phase)}, ${String(sent)} sent, ${String(received)} received`
    const what = `${String(_tag)} of ${who}${when}`
    done.failed.set(what, (done.failed.get(what) ?? 0) + 1)
  }
  const repeat = async (addressOf: () => string, once: (address: string) => Promise<void>): Promise<void> => {
    while (!isOver()) {
      const address = addressOf()
      try {
        await once(address)
      } catch (error) {
        if (typeof error !== "object" || error === null || !("_tag" in error)) throw error
        failed(error, address)
      }
    }
  }
  const scans = repeat(
    () => "scan",
    async () => {
      for await (const result of scan(addresses)) {
        if (result._tag === "Answered") done.scanned++
        else failed("error" in result ? result.error : result, result.target)
      }
    }
  )
  let queried = 0
  const queries = repeat(
    () => addresses[queried++ % SERVERS]!,
    async (address) => {
      await client.info(address)
      done.queries++
    }
  )
  const proxied = repeat(
    () => front,
    async (address) => {
      await client.players(address)
      done.proxied++
    }
  )
  const sessions = repeat(
    () => "RCON",
    async () => {
      await using rcon = await connectRcon(`127.0.0.1:${console.local.port}`, { password: "soak", engine: "source" })
      done.sessions++
      for (let i = 0; i < COMMANDS && !isOver(); i++) {
        if ((await rcon.exec("status")) !== LINES) throw new Error("a reply is not what was sent")
        done.commands++
      }
    }
  )
  await Promise.all([scans, queries, proxied, sessions])
  await Promise.all(servers.map((server) => server.close()))
}

/** Maximum growth from the second third of the samples to the last third: the used memory in MB, and the resident memory as a share. */
const USED_MB = 1
const RSS_SHARE = 0.1
/** Minimum duration, in minutes, of runs that check the resident memory. In shorter runs, the process does not reach its final size. */
const SETTLED_MINUTES = 5
const HANDLES = 8
const SAMPLES = 240

const MEGABYTE = 1024 * 1024
/** Open sockets and timers. The standard streams are ignored, because the runtime opens and closes them. */
const handlesNow = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((kind) => /UDP|TCP|Timeout|Immediate/.test(kind))

const sample = () => {
  // After one garbage collection, up to 9 MB of buffers are not released yet. A second collection waits until these buffers are released.
  globalThis.gc!()
  globalThis.gc!()
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  return { rssMb: rss / MEGABYTE, usedMb: (heapUsed + arrayBuffers) / MEGABYTE, handles: handlesNow().length }
}

const minutes = Number(process.argv[2] ?? 0.5)
const before = handlesNow().length
const done: Done = { scanned: 0, queries: 0, proxied: 0, commands: 0, sessions: 0, failed: new Map() }
const endsAt = performance.now() + minutes * 60_000
const isOver = (): boolean => performance.now() >= endsAt
const samples: Array<ReturnType<typeof sample>> = []
const watch = async (): Promise<void> => {
  while (!isOver()) {
    await sleep(Math.max(100, (minutes * 60_000) / SAMPLES))
    samples.push(sample())
  }
}
await Promise.all([runLoad(isOver, done), watch()])
// The runtime closes sockets asynchronously. Therefore the program waits up to 5 s until they are closed.
for (let turns = 0; turns < 50 && handlesNow().length > before; turns++) await sleep(100)

const middle = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const third = Math.floor(samples.length / 3)
/** Returns two medians of a field: the median of the second third of the samples, and the median of the last third. */
const thirds = (field: keyof (typeof samples)[number]) => {
  const values = samples.map((one) => one[field])
  return [middle(values.slice(third, 2 * third)), middle(values.slice(2 * third))] as const
}
const [rss, used, handles] = [thirds("rssMb"), thirds("usedMb"), thirds("handles")]
const stayedOpen = handlesNow().length - before
const problems = [
  ...(minutes >= SETTLED_MINUTES && rss[1] > (1 + RSS_SHARE) * rss[0] ? ["resident memory grew"] : []),
  ...(used[1] - used[0] > USED_MB ? ["used memory grew"] : []),
  ...(handles[1] - handles[0] > HANDLES ? ["handles grew"] : []),
  ...(stayedOpen > 0 ? [`${stayedOpen} handles stayed open: ${handlesNow().join(", ")}`] : [])
]
process.stdout.write(JSON.stringify({ problems, rss, used, handles, ...done, failed: Object.fromEntries(done.failed) }))
