/** Compares the results of other authors' master clients with the list of our master server. */
import { startMaster } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { type Reasons, type Row, cells, settled } from "./report.ts"
import { debianVersion, npmVersion, require } from "./versions.ts"

const PATIENCE_MS = 10_000

const addresses = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}:27015`)

interface MasterClient {
  readonly program: string
  readonly version: string
  readonly from: "npm" | "Debian"
  /** Number of servers in the list of the master server. The master server sends lists in pages of at most 231 servers. */
  readonly servers: number
  /** Returns the addresses that the client received. If a client prints only the number of addresses, returns this number. */
  readonly list: (port: number) => Promise<ReadonlyArray<string> | number>
}

const masterClients = (): ReadonlyArray<MasterClient> => [
  {
    program: "steam-server-query",
    version: npmVersion("steam-server-query"),
    from: "npm",
    servers: 300,
    list: (port) => {
      const { REGIONS, queryMasterServer } = require("steam-server-query") as {
        readonly REGIONS: { readonly ALL: number }
        readonly queryMasterServer: (at: string, region: number) => Promise<ReadonlyArray<string>>
      }
      return queryMasterServer(`127.0.0.1:${port}`, REGIONS.ALL)
    }
  },
  {
    program: "@fabricio-191/valve-server-query",
    version: npmVersion("@fabricio-191/valve-server-query"),
    from: "npm",
    servers: 300,
    list: (port) => {
      const { MasterServer } = require("@fabricio-191/valve-server-query") as {
        readonly MasterServer: (options: object) => Promise<ReadonlyArray<string>>
      }
      return MasterServer({
        ip: "127.0.0.1",
        port,
        quantity: "all",
        region: "OTHER",
        timeout: 2000,
        enableWarns: false
      })
    }
  },
  {
    program: "quakestat",
    version: debianVersion("qstat"),
    from: "Debian",
    servers: 100,
    list: async (port) => {
      const args = ["-nocfg", "-raw", " ", "-timeout", "1", "-interval", "0.1", "-stm", `127.0.0.1:${port}`]
      const { stdout } = await promisify(execFile)("quakestat", args)
      return Number(/^STM \S+ (\d+)/m.exec(stdout)?.[1])
    }
  }
]

/** The rows of the page for all master clients. */
export const compareMasters = async (reasons: Reasons): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const { from, list, program, servers: count, version } of masterClients()) {
    const servers = addresses(count).map((address) => ({ address, gamedir: "cstrike" }))
    await using master = await startMaster({ transport: layer, servers, repliesToUnverified: true })
    const theirs = await settled(list(master.port), PATIENCE_MS)
    const differs =
      typeof theirs === "number"
        ? theirs === count
          ? []
          : ["count"]
        : theirs === undefined
          ? undefined
          : addresses(count).filter((address) => !theirs.includes(address))
    const about = "master server"
    const comparison = { part: "list", amount: `a list of ${count} addresses`, differs }
    rows.push({ program, version, from, with: about, ...cells([comparison], `${program}, ${about}`, reasons) })
  }
  return rows
}
