// Runs a number of servers that send the same INFO reply to every datagram, as fast as possible. Prints the addresses of the servers. The
// program exits when its standard input ends.
import { encodeAs } from "@sourcewire/protocol/wire"
import { InfoReply } from "@sourcewire/protocol"
import { profiles } from "@sourcewire/emulator"
import { current } from "@sourcewire/server"
import * as Result from "effect/Result"
import { createSocket } from "node:dgram"
import { once } from "node:events"

const reply = Result.getOrThrow(encodeAs(InfoReply, current(/** @type {any} */ (profiles.css().info))))
const addresses = []
for (let i = 0; i < Number(process.argv[2]); i++) {
  const socket = createSocket("udp4")
  socket.on("message", (_, { address, port }) => socket.send(reply, port, address))
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  addresses.push(`127.0.0.1:${socket.address().port}`)
}
console.log(addresses.join(" "))
process.stdin.resume().once("end", () => process.exit())
