/**
 * Compares the results of other authors' query clients with the results of our client. All clients query our emulated servers, with and
 * without our proxy.
 */
import type { ServerAnswer } from "@sourcewire/core"
import { type profiles, startServer } from "@sourcewire/emulator"
import { startProxy } from "@sourcewire/proxy"
import { connect } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import { setTimeout as sleep } from "node:timers/promises"
import { type Info, type Player, type QueryClient, queryClients } from "./queryClients.ts"
import { type Comparison, type Reasons, type Row, cells, settled } from "./report.ts"

type ProfileName = keyof typeof profiles

/**
 * Time limit, in ms, for one of the three queries of a client. If the client does not return a result within this limit, the query has
 * failed.
 */
const PATIENCE_MS = 8000

const SITUATIONS: ReadonlyArray<{ readonly profile: ProfileName; readonly isProxied?: true; readonly about: string }> =
  [
    { profile: "css", about: "emulator, Counter-Strike: Source (split replies)" },
    { profile: "cs16", about: "emulator, Counter-Strike 1.6 (both dialects of INFO)" },
    { profile: "tf2", about: "emulator, Team Fortress 2 (compressed replies)" },
    { profile: "xash3d", about: "emulator, Xash3D" },
    { profile: "css", isProxied: true, about: "proxy in front of Counter-Strike: Source" },
    { profile: "cs16", isProxied: true, about: "proxy in front of Counter-Strike 1.6" }
  ]

const INFO_KEYS = ["name", "map", "folder", "game", "players", "maxPlayers", "bots", "version"] as const

const compareInfo = (ours: ServerAnswer["info"], theirs: Info | undefined): Comparison => {
  const mine = ours as Info
  const keys = theirs === undefined ? INFO_KEYS : INFO_KEYS.filter((key) => theirs[key] !== undefined)
  return {
    part: "INFO",
    amount: `${keys.length} fields of INFO`,
    differs: theirs === undefined ? undefined : keys.filter((key) => theirs[key] !== mine[key])
  }
}

const comparePlayers = (ours: ServerAnswer["players"], theirs: ReadonlyArray<Player> | undefined): Comparison => {
  const mine = ours?.players ?? []
  const count = Math.max(mine.length, theirs?.length ?? 0)
  const differs = Array.from({ length: count }, (_, i) => i).filter(
    (i) => mine[i]?.name !== theirs?.[i]?.name || mine[i]?.score !== theirs?.[i]?.score
  )
  return {
    part: "PLAYER",
    amount: `${mine.length} players`,
    differs: theirs === undefined ? undefined : differs.map((i) => `player ${i}`)
  }
}

const compareRules = (
  ours: ServerAnswer["rules"],
  theirs: Readonly<Record<string, string>> | undefined
): Comparison => {
  const mine = Object.fromEntries((ours?.rules ?? []).map(({ name, value }) => [name, value]))
  const names = Object.keys(mine)
  return {
    part: "RULES",
    amount: `${names.length} rules`,
    differs: theirs === undefined ? undefined : names.filter((name) => theirs[name] !== mine[name])
  }
}

const compare = async (client: QueryClient, port: number, ours: ServerAnswer): Promise<ReadonlyArray<Comparison>> => {
  const reading = client.read(port)
  // The three queries run one after the other, because some clients use one socket for all queries.
  const info = await settled(reading.info(), PATIENCE_MS)
  const players = await settled(reading.players(), PATIENCE_MS)
  const rules = await settled(reading.rules(), PATIENCE_MS)
  return [compareInfo(ours.info, info), comparePlayers(ours.players, players), compareRules(ours.rules, rules)]
}

/** Starts a proxy, and waits until it has cached all replies of its server. */
const proxyFor = async (upstream: string) => {
  const proxy = await startProxy({ transport: layer, servers: [{ upstream }] })
  while (proxy.status()[0]!.notServed.length > 0) await sleep(5)
  return proxy
}

/** The rows of the page for all query clients. */
export const compareQueries = async (reasons: Reasons): Promise<ReadonlyArray<Row>> => {
  const clients = queryClients()
  const rows = await Promise.all(
    SITUATIONS.map(async ({ about, isProxied, profile }) => {
      await using server = await startServer({ transport: layer, profile })
      await using ourClient = await connect()
      const address = `127.0.0.1:${server.port}`
      const ours = await ourClient.query(address)
      const proxy = isProxied === true ? await proxyFor(address) : undefined
      const port = proxy === undefined ? server.port : Number(proxy.status()[0]!.listening.split(":")[1])
      const found: Array<Row> = []
      for (const client of clients) {
        const { from, program, version } = client
        const comparisons = await compare(client, port, ours)
        found.push({ program, version, from, with: about, ...cells(comparisons, `${program}, ${about}`, reasons) })
      }
      await proxy?.close()
      return found
    })
  )
  return clients.flatMap(({ program }) => rows.flat().filter((row) => row.program === program))
}
