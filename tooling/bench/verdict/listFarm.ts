/**
 * A generated list on loopback, as a process of its own: its servers with a socket each, a master that lists them, and Steam's Web API with
 * Steam's counts of them. `node listFarm.ts OPTIONS` takes the options of `ServerList` as JSON. It prints where the master and the API
 * listen. For each line of its input it prints the datagrams so far, and it ends with its input.
 *
 * Steam's API returns at most 10,000 entries per request. This one returns as many as are requested, since a saved list has all of them.
 */
import { ServerList, type ListedServer } from "@sourcewire/emulator/machines"
import { RateLimiter, Responder, startMaster } from "@sourcewire/server"
import { HandshakeResponder } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { DistinctRequests } from "./DistinctRequests.ts"

const list = new ServerList({ network: "127.80", ...(JSON.parse(process.argv[2] ?? "{}") as object) })
/** Of the game servers. */
let requests = 0
let replies = 0
const distinct = new DistinctRequests(list.size)

/** All clients of a farm have one address, and each server would have a table of clients. */
const limit = new RateLimiter({ perSecond: 1e6 })

/** Created with the first request. */
const responding = (server: ListedServer) => {
  const profile = list.profile(server)
  const parts = [
    new HandshakeResponder({ vac: true, ...profile.handshake, repliesToUnverified: true, limit }),
    new Responder(profile)
  ]
  return (datagram: Uint8Array, address: string, port: number): ReadonlyArray<Uint8Array> => {
    for (const part of parts) {
      const found = part.respond(datagram, address, port, performance.now())
      if (found.length > 0) return found
    }
    return []
  }
}

const open = (server: ListedServer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket("udp4")
    let respond: ReturnType<typeof responding> | undefined
    socket.on("message", (datagram, { address, port }) => {
      requests++
      distinct.add(server.index, datagram)
      respond ??= responding(server)
      for (const reply of respond(datagram, address, port)) {
        replies++
        socket.send(reply, port, address)
      }
    })
    socket.once("error", reject)
    socket.bind({ address: server.host, port: server.port, exclusive: true }, resolve)
  })

for (const server of list.servers()) await open(server)

await using master = await startMaster({
  transport: layer,
  servers: Array.from(list.servers(), ({ address }) => ({ address }))
})

/** The reply of Steam's API in pieces: as one text, that of a million servers would be longer than Node's longest. */
function* steamReply(limit: number): Generator<string> {
  yield '{"response":{"servers":['
  let index = 0
  for (const server of list.servers()) {
    if (index >= limit) break
    const entry = { ...list.steam(server, Date.now()), appid: 240, gamedir: "cstrike", name: `"Server", {${index}}` }
    yield `${index++ === 0 ? "" : ","}${JSON.stringify(entry)}`
  }
  yield "]}}"
}

const api = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, "http://steam")
  const status =
    request.headers["x-webapi-key"] !== process.env["FARM_KEY"]
      ? 403
      : pathname.startsWith("/IGameServersService/GetServerList/")
        ? 200
        : 404
  response.writeHead(status, { "content-type": "application/json" })
  if (status !== 200) return void response.end("{}")
  Readable.from(steamReply(Number(searchParams.get("limit") ?? 100))).pipe(response)
})
await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve))

const { port } = api.address() as AddressInfo
console.log(JSON.stringify({ servers: list.size, master: `127.0.0.1:${master.port}`, api: `http://127.0.0.1:${port}` }))
for await (const _ of createInterface({ input: process.stdin })) {
  const { most, mostHandshakes } = distinct
  const masterRequests = master.counters().requests
  console.log(JSON.stringify({ requests, replies, most, mostHandshakes, masterRequests }))
}
process.exit(0)
