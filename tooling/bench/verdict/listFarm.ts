/**
 * Emulates a generated list of game servers on loopback. A master server lists these servers, and an emulated Steam Web API reports Steam's
 * player count of each of them. The command is `node listFarm.ts OPTIONS`, in which OPTIONS are the options of `ServerList` as JSON. The
 * program first prints the addresses of the master and the API. For each line of its standard input, it prints the current counts of
 * datagrams. It exits when its standard input ends.
 *
 * If the list has at most `MOST_SOCKETS` servers, each server has its own socket. For longer lists, the program uses `forwarder.c`, which
 * has one socket per port for all addresses.
 *
 * Unlike Steam's real API, which returns at most 10,000 entries per request, the emulated API has no limit, because the benchmark saves all
 * entries with one request.
 */
import { ServerList, type ListedServer } from "@sourcewire/emulator/machines"
import { type Profile, RateLimiter, Responder, startMaster } from "@sourcewire/server"
import { MessageType } from "@sourcewire/protocol/wire"
import { HandshakeResponder } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { DistinctRequests } from "./DistinctRequests.ts"
import { startForwarder } from "./forwarder.ts"

/** Maximum number of sockets. It must be below the system's limit for open files, which is usually 20,000 or more. */
const MOST_SOCKETS = 15_000

const list = new ServerList({ network: "127.80", ...(JSON.parse(process.argv[2] ?? "{}") as object) })
/** Numbers of datagrams that the game servers received and sent. */
let requests = 0
let replies = 0
const distinct = new DistinctRequests(list.size)

/**
 * All servers share one limiter, because a separate table of clients for each server would need too much memory. All clients of a farm send
 * from the same address, so the limiter permits a million requests per second from one address.
 */
const limit = new RateLimiter({ perSecond: 1e6 })

/**
 * The server that received the current request. All servers share the same responders, because a million separate responders would need too
 * much memory. A responder always replies with the data of the server in `current`.
 */
let current = list.server(0)
const profile: Profile = {
  ...list.profile(current),
  info: () => list.info(current, Date.now()),
  players: () => list.players(current, Date.now())
}
const responder = new Responder(profile)
const handshakes = new Map<string | undefined, HandshakeResponder>()

const handshakeResponder = (redirect: string | undefined): HandshakeResponder => {
  let found = handshakes.get(redirect)
  if (found === undefined) {
    const target = redirect === undefined ? {} : { redirect }
    found = new HandshakeResponder({ vac: true, ...target, repliesToUnverified: true, limit })
    handshakes.set(redirect, found)
  }
  return found
}

const respond = (
  server: ListedServer,
  datagram: Uint8Array,
  address: string,
  port: number
): ReadonlyArray<Uint8Array> => {
  requests++
  distinct.add(server.index, datagram)
  current = server
  const now = performance.now()
  const isHandshake = datagram[4] === MessageType.A2S_GETCHALLENGE
  const part = isHandshake ? handshakeResponder(list.redirect(server)) : responder
  const found = part.respond(datagram, address, port, now)
  replies += found.length
  return found
}

const open = (server: ListedServer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket("udp4")
    socket.on("message", (datagram, { address, port }) => {
      for (const reply of respond(server, datagram, address, port)) socket.send(reply, port, address)
    })
    socket.once("error", reject)
    socket.bind({ address: server.host, port: server.port, exclusive: true }, resolve)
  })

if (list.size > MOST_SOCKETS) {
  const forwarder = await startForwarder(list.servers())
  forwarder.onDatagram((index, datagram, address, port) => respond(list.server(index), datagram, address, port))
} else for (const server of list.servers()) await open(server)

await using master = await startMaster({
  transport: layer,
  servers: Array.from(list.servers(), ({ address }) => ({ address }))
})

/**
 * Yields the reply of the emulated Steam API in parts. With a million servers, the complete reply would exceed the maximum length of a
 * string in Node.
 */
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
