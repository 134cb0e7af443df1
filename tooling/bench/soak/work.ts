/**
 * The load of the soak, on loopback: emulated servers, scans and single queries of them, a proxy, and short RCON sessions.
 */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { startProxy } from "@sourcewire/proxy"
import { startRconServer } from "@sourcewire/server"
import { connect, rcon as connectRcon, scan } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"

/** Completed operations, by kind. */
export interface Done {
  scanned: number
  queries: number
  proxied: number
  commands: number
  sessions: number
  /** Number of operations that ended with an error, by kind. */
  readonly failed: Map<string, number>
}

/** Number of emulated servers. */
const SERVERS = 40

/** Commands of one RCON session. */
const COMMANDS = 40

const LINES = "a line of output\n".repeat(400)

/** ReHLDS without Steam does not reply to queries. */
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
export const work = async (isOver: () => boolean, done: Done): Promise<void> => {
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
  let asked = 0
  const queries = repeat(
    () => addresses[asked++ % SERVERS]!,
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
