/** Starts the farm of a generated list as a process. */
import type { ServerListOptions } from "@sourcewire/emulator/machines"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** The only key that the farm's emulated Steam API accepts. */
const KEY = "0123456789ABCDEF0123456789ABCDEF"

const program = fileURLToPath(new URL("listFarm.ts", import.meta.url))

interface Listening {
  readonly servers: number
  readonly master: string
  readonly api: string
}

/** Counts of datagrams: requests to the game servers, replies of the game servers, and requests to the master server. */
interface FarmCounters {
  readonly requests: number
  readonly replies: number
  /** The largest number of requests that a single server received. Retransmissions are not counted (see `DistinctRequests`). */
  readonly most: number
  /** The largest number of handshake requests that a single server received. */
  readonly mostHandshakes: number
  readonly masterRequests: number
}

export const startListFarm = async (options: ServerListOptions) => {
  const farm = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, FARM_KEY: KEY }
  })
  const lines = createInterface({ input: farm.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error("The farm of the generated list has ended.")
    return JSON.parse(value)
  }
  const { api, master, servers } = (await next()) as Listening
  return {
    master,
    servers,
    /** The body of the emulated Steam API's reply to a request for all entries. */
    steamReply: async (): Promise<ReadableStream<Uint8Array>> => {
      const url = `${api}/IGameServersService/GetServerList/v1/?limit=${servers}`
      const response = await fetch(url, { headers: { "x-webapi-key": KEY } })
      if (!response.ok) throw new Error(`Steam's emulated API replied with status ${response.status}.`)
      return response.body!
    },
    counters: async (): Promise<FarmCounters> => {
      farm.stdin.write("\n")
      return (await next()) as FarmCounters
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      if (farm.exitCode !== null) return
      const ended = once(farm, "exit")
      farm.stdin.end()
      await ended
    }
  }
}
