/** Starts `listFarm.ts`, which serves all game servers of a generated list, as a separate process. */
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
  /** The highest number of requests that one server received, without retransmissions (see `DistinctRequests`). */
  readonly most: number
  /** The highest number of handshake requests that one server received. */
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
    /** Requests all entries of the emulated Steam API, and returns the body of the reply. */
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
