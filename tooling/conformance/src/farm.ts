/**
 * Runs many game servers on consecutive ports of one address. Each server requires a challenge and replies to INFO. Prints a line when all
 * servers are ready. Exits when its standard input ends.
 *
 *     farm.ts ADDRESS FIRST-PORT COUNT
 */
import { encode, type InfoReply } from "@sourcewire/protocol"
import { profiles } from "@sourcewire/emulator"
import * as Result from "effect/Result"
import { createSocket } from "node:dgram"

const CHALLENGE = Buffer.from("ffffffff410a0b0c0d", "hex")
const INFO = Result.getOrThrow(encode(profiles.css().info as InfoReply))

const [address, firstPort, count] = process.argv.slice(2)
let open = 0
for (let i = 0; i < Number(count); i++) {
  const socket = createSocket("udp4")
  socket.on("message", (request, { address: to, port }) => {
    const isChallenged = request.subarray(-4).equals(CHALLENGE.subarray(-4))
    socket.send(isChallenged ? INFO : CHALLENGE, port, to, () => {})
  })
  socket.bind(Number(firstPort) + i, address, () => {
    if (++open === Number(count)) process.stdout.write("ready\n")
  })
}
process.stdin.resume().on("end", () => process.exit())
