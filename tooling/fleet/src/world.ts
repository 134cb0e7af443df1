/**
 * Runs game servers for a fleet in a separate process: `world.ts NETWORKS PORTS MAP_MS`. Each server has a socket in a loopback
 * network, replies to INFO without a challenge, and changes its map every `MAP_MS` milliseconds. At the start, the process sends the
 * addresses of the servers to its parent process. For each message from the parent process, this process returns the queries that the
 * servers have received since the previous message.
 */
import { encode, type InfoReply } from "@sourcewire/protocol"
import { profiles } from "@sourcewire/emulator"
import * as Result from "effect/Result"
import { createSocket } from "node:dgram"

const [networks, ports, mapMs] = process.argv.slice(2).map(Number) as [number, number, number]

const info = profiles.css().info as InfoReply
const answers = Array.from({ length: 64 }, (_, map) =>
  Result.getOrThrow(encode({ ...info, map: `map_${map}`, players: map % 20, bots: 0 }))
)

/** The queries since the previous message of the parent process, each with its server, its time, and its source port. */
let asked: Array<readonly [server: number, atMs: number, by: number]> = []

const listen = (server: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const network = Math.floor(server / ports)
    const host = `127.${10 + (network >> 8)}.${network & 255}.1`
    const socket = createSocket("udp4")
    socket.once("error", reject)
    socket.on("message", (_, { address, port }) => {
      const now = Date.now()
      asked.push([server, now, port])
      // Each server adds its own offset, so that not all servers change their maps at the same time.
      const map = Math.floor(now / mapMs + ((server * 0.618) % 1))
      socket.send(answers[map % answers.length]!, port, address)
    })
    socket.bind(0, host, () => resolve(`${host}:${socket.address().port}`))
  })

const targets = await Promise.all(Array.from({ length: networks * ports }, (_, server) => listen(server)))
process.on("message", () => {
  process.send!({ asked })
  asked = []
})
process.on("disconnect", () => process.exit())
process.send!({ targets })
