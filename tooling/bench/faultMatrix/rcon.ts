/**
 * RCON through a TCP proxy that cuts segments, stalls and resets connections: our client against our server on loopback, in real time.
 */
import { startRconServer } from "@sourcewire/server"
import { rcon as connectRcon } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import { seededRandom } from "@sourcewire/core/testing"
import { createServer, connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** Faults of the proxy, in both directions. */
export interface ProxyFaults {
  readonly name: string
  /** Maximum size of a segment that is forwarded in one piece. */
  readonly segmentBytes?: number
  /** Share of segments before which the proxy pauses, and the maximum pause in ms. */
  readonly stall?: { readonly share: number; readonly ms: number }
  /** Share of segments at which the connection is reset. */
  readonly reset?: number
}

/** Results of the commands, initially all 0. */
class RconTally {
  commands = 0
  /** Commands with exactly the server's output as the reply. */
  right = 0
  /** Commands with another reply. Must stay 0. */
  wrong = 0
  /** Commands that ended with an error of a known type. */
  failed = 0
  resets = 0
}

const PASSWORD = "bench"

/** The server's reply to `say N`: N numbered lines. */
const answerTo = (command: string): string =>
  Array.from({ length: Number(command.split(" ")[1]) }, (_, i) => `line ${i} of ${command}\n`).join("")

const COMMANDS = ["say 0", "say 1", "say 40", "say 400", "say 3"]

/** Forwards data from one socket to the other, with faults. */
const pipe = (from: Socket, to: Socket, faults: ProxyFaults, random: () => number, tally: RconTally): void => {
  const { reset = 0, segmentBytes = Number.POSITIVE_INFINITY, stall } = faults
  let before = Promise.resolve()
  const pass = async (segment: Uint8Array): Promise<void> => {
    if (stall !== undefined && random() < stall.share) await sleep(random() * stall.ms)
    if (random() < reset) {
      if (!from.destroyed) tally.resets++
      from.resetAndDestroy()
      to.resetAndDestroy()
    } else if (to.writable) to.write(segment)
  }
  from.on("data", (data: Uint8Array) => {
    for (let at = 0; at < data.length;) {
      const length = Math.min(data.length - at, 1 + Math.floor(random() * segmentBytes) || data.length)
      const segment = data.subarray(at, at + length)
      before = before.then(() => pass(segment))
      at += length
    }
  })
  from.on("error", () => to.destroy())
  from.on("close", () => void before.then(() => to.destroySoon()))
}

/** Runs `count` commands one after another over connections through the proxy. A lost connection is opened again. */
export const simulateRcon = async (faults: ProxyFaults, count: number, seed: number): Promise<RconTally> => {
  const tally = new RconTally()
  const random = seededRandom(seed)
  await using console = await startRconServer({
    transport: layer,
    engine: "source",
    port: 0,
    password: PASSWORD,
    handler: answerTo
  })
  const proxy = createServer((client) => {
    const server = connect(console.local.port, "127.0.0.1")
    for (const socket of [client, server]) socket.setNoDelay(true)
    pipe(client, server, faults, random, tally)
    pipe(server, client, faults, random, tally)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const { port } = proxy.address() as { port: number }
  const open = () => connectRcon(`127.0.0.1:${port}`, { password: PASSWORD, engine: "source", timeoutMs: 2000 })
  let session: Awaited<ReturnType<typeof open>> | undefined
  while (tally.commands < count) {
    const command = COMMANDS[tally.commands % COMMANDS.length]!
    tally.commands++
    try {
      session ??= await open()
      const reply = await session.exec(command)
      if (reply === answerTo(command)) tally.right++
      else tally.wrong++
    } catch (error) {
      const known = typeof error === "object" && error !== null && "_tag" in error
      if (!known) throw error
      tally.failed++
      await session?.close()
      session = undefined
    }
  }
  await session?.close()
  await new Promise((resolve) => proxy.close(resolve))
  return tally
}
