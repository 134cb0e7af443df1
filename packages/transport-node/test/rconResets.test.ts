/** RCON over connections that are reset at random: a command ends with its complete reply or with a typed error. */
import { seededRandom } from "@sourcewire/core/testing"
import { startRconServer } from "@sourcewire/server"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { expect, it } from "vitest"
import { layer } from "../src/effect.ts"
import { rcon } from "../src/index.ts"

const COMMANDS = 30
/** Probability of a reset at each segment, and maximum size of a segment in bytes. */
const [RESET, SEGMENT_BYTES] = [0.05, 500]
const PASSWORD = "reset"

/** The reply to a command. The command is the number of lines in the reply. */
const replyTo = (command: string): string =>
  Array.from({ length: Number(command) }, (_, i) => `line ${i} of ${command}\n`).join("")

it("if connections are reset, RCON commands return complete replies or errors", async () => {
  const random = seededRandom(7)
  let resets = 0
  /** Forwards data from one connection to the other in segments. Before each segment, both connections may be reset at random. */
  const pipe = (from: Socket, to: Socket): void => {
    from.setNoDelay(true).on("data", (data: Uint8Array) => {
      for (let at = 0; at < data.length && !from.destroyed;) {
        const end = at + 1 + Math.floor(random() * SEGMENT_BYTES)
        if (random() < RESET) {
          resets++
          from.resetAndDestroy()
          to.resetAndDestroy()
        } else to.write(data.subarray(at, end))
        at = end
      }
    })
    from.on("error", () => to.destroy()).on("close", () => to.destroySoon())
  }
  await using server = await startRconServer({
    transport: layer,
    engine: "source",
    port: 0,
    password: PASSWORD,
    handler: replyTo
  })
  const proxy = createServer((client) => {
    const upstream = connect(server.local.port, "127.0.0.1")
    pipe(client, upstream)
    pipe(upstream, client)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const ends = { complete: 0, other: 0, failed: 0 }
  let session: Awaited<ReturnType<typeof rcon>> | undefined
  for (let i = 0; i < COMMANDS; i++) {
    const command = String([0, 1, 40, 400, 3][i % 5])
    try {
      session ??= await rcon(address, { password: PASSWORD, engine: "source", timeoutMs: 2000 })
      ends[(await session.exec(command)) === replyTo(command) ? "complete" : "other"]++
    } catch (error) {
      expect(error).toHaveProperty("_tag")
      ends.failed++
      await session?.close()
      session = undefined
    }
  }
  await session?.close()
  proxy.close()
  expect(ends.other).toBe(0)
  expect(ends.complete).toBeGreaterThan(0)
  expect(resets).toBeGreaterThan(0)
})
