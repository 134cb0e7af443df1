/**
 * Runs game servers that follow a schedule, in a separate process. Each server has a socket on a loopback address, requires a challenge,
 * and replies to INFO. The argument of the process contains the options of the schedule as JSON.
 *
 * The process sends the addresses of the servers to its parent process. The parent replies with the time at which the schedule starts. On
 * request, the process reports the maximum delay of its own timers.
 */
import { profiles } from "@sourcewire/emulator"
import { seededRandom } from "@sourcewire/core/testing"
import { encode, type InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { isOutage, makeSchedules, type ScheduleOptions, valueAt } from "./schedule.ts"

const options = JSON.parse(process.argv[2]!) as ScheduleOptions & { readonly slowMs: number }
const schedules = makeSchedules(options)
const random = seededRandom(options.seed + 1)

/**
 * The share of replies that a server does not send in a `lossy` period. The monitor retransmits each request up to four times. Therefore
 * two consecutive queries are very unlikely to fail.
 */
const LOSS = 0.2

const CHALLENGE = Buffer.from("ffffffff41bba5ede4", "hex")
/** The length of an INFO request without a challenge, in bytes. */
const BARE = 25
const profile = profiles.css().info as InfoReply

let startedAt = Number.POSITIVE_INFINITY
const now = (): number => Date.now() - startedAt

const infoAt = (server: number, ms: number): Uint8Array => {
  const schedule = schedules[server]!
  const [map, name] = [valueAt(schedule, "map", ms, "first"), valueAt(schedule, "name", ms, `server ${server}`)]
  return Result.getOrThrow(encode({ ...profile, map, name, players: server % 20, bots: 0 }))
}

const open = async (server: number, port: number): Promise<Socket> => {
  const socket = createSocket("udp4")
  socket.on("message", (request, { address, port }) => {
    const ms = now()
    const kind = schedules[server]!.periods.find(({ from, to }) => from <= ms && ms < to)?.kind
    if (kind === "silent" || kind === "closed" || (kind === "lossy" && random() < LOSS)) return
    const reply = request.length > BARE ? infoAt(server, ms) : CHALLENGE
    const send = (): void => {
      // A delayed reply cannot be sent if the socket has been closed since the request arrived.
      if (sockets[server] === socket) socket.send(reply, port, address)
    }
    // A query has two replies: the challenge, and the reply to the request with the challenge. Each of these two replies is delayed by at
    // most half of `slowMs`.
    if (kind === "slow") setTimeout(send, (options.slowMs * (0.5 + 0.5 * random())) / 2)
    else send()
  })
  socket.bind(port, `127.${40 + (server >> 8)}.${server & 255}.1`)
  await once(socket, "listening")
  return socket
}

const sockets: Array<Socket | undefined> = []
const ports: Array<number> = []
for (const server of schedules.keys()) {
  const socket = await open(server, 0)
  sockets.push(socket)
  ports.push(socket.address().port)
}

const follow = (): void => {
  for (const [server, { periods }] of schedules.entries()) {
    for (const { from, kind, to } of periods) {
      if (kind !== "closed") continue
      setTimeout(() => {
        sockets[server]?.close()
        sockets[server] = undefined
      }, from - now())
      setTimeout(() => void open(server, ports[server]!).then((socket) => (sockets[server] = socket)), to - now())
    }
  }
}

let lateMs = 0
let lookedAt = performance.now()
setInterval(() => {
  lateMs = Math.max(lateMs, performance.now() - lookedAt - 50)
  lookedAt = performance.now()
}, 50)

process.on("message", (message: { readonly startAt: number } | "report") => {
  if (message === "report") return void process.send!({ lateMs: Math.round(lateMs) })
  startedAt = message.startAt
  lateMs = 0
  follow()
})
process.on("disconnect", () => process.exit())
const outages = schedules.flatMap(({ periods }) => periods.filter(isOutage)).length
process.send!({
  addresses: ports.map((port, server) => `127.${40 + (server >> 8)}.${server & 255}.1:${port}`),
  outages
})
