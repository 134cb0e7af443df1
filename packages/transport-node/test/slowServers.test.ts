/** A server that takes 1.2 s for each reply, over real UDP. */
import { encode, fromHex, toHex } from "@sourcewire/protocol"
import { startServer } from "@sourcewire/emulator"
import * as Result from "effect/Result"
import * as dgram from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layer } from "../src/effect.ts"
import { connect, scan } from "../src/index.ts"

const SLOW_MS = 1200

const info = toHex(
  Result.getOrThrow(
    encode({
      _tag: "InfoReply",
      protocol: 17,
      name: "A slow server",
      map: "de_dust2",
      folder: "cstrike",
      game: "Counter-Strike: Source",
      appId: 240,
      players: 0,
      maxPlayers: 32,
      bots: 0,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: false,
      vac: true,
      version: "1"
    })
  )
)

const socket = dgram.createSocket("udp4")
socket.on("message", (_, { address, port }) => {
  setTimeout(() => isOpen && socket.send(fromHex(info)!, port, address), SLOW_MS)
})
let isOpen = true
let slow = ""
beforeAll(async () => {
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  slow = `127.0.0.1:${socket.address().port}`
})
afterAll(() => {
  isOpen = false
  socket.close()
})

/**
 * Whether a round-trip time was measured from the first transmission. Such a time is about `SLOW_MS`. It can be longer on a busy host, and
 * slightly shorter because Node's timers can be early. A time that was measured from a retransmission is hundreds of milliseconds shorter
 * than `SLOW_MS`.
 */
const isRealTime = (rttMs: number): boolean => rttMs >= SLOW_MS - 100 && rttMs < SLOW_MS + 800

describe("a server that replies after 1.2 s", () => {
  it.concurrent.each([3000, 10_000])(
    "replies in time to a query with a timeoutMs of %i, and the round-trip time is marked as ambiguous",
    async (timeoutMs) => {
      await using client = await connect({ timeoutMs })
      const { rttAmbiguous, rttMs } = await client.queryKind("info", slow)
      expect([isRealTime(rttMs), rttAmbiguous]).toEqual([true, true])
    }
  )

  it.concurrent("receives the second query only once, and the round-trip time of this query is not ambiguous", async () => {
    await using client = await connect({ timeoutMs: 10_000 })
    await client.queryKind("info", slow)
    // The late replies to the retransmissions arrive, and show the client that the retransmissions were unnecessary.
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    const { rttAmbiguous, rttMs, sent } = await client.queryKind("info", slow)
    expect([isRealTime(rttMs), rttAmbiguous, sent]).toEqual([true, undefined, 1])
  })

  it.concurrent.each([3000, 10_000])(
    "is found by a scan with a timeoutMs of %i, even if another target is a fast server",
    async (timeoutMs) => {
      await using fast = await startServer({ transport: layer })
      const found: Record<string, number> = {}
      for await (const result of scan([`${fast.address}:${fast.port}`, slow], "info", { timeoutMs })) {
        if (result._tag === "Answered") found[result.target as string] = result.rttMs
      }
      expect(isRealTime(found[slow]!)).toBe(true)
    }
  )

  it.concurrent("is found in every round of a recurring scan", async () => {
    await using fast = await startServer({ transport: layer })
    const results: Array<string> = []
    let next: () => void = () => undefined
    const turns = async function* () {
      for (let turn = 0; turn < 2; turn++) {
        yield* [`${fast.address}:${fast.port}`, slow]
        await new Promise<void>((resolve) => (next = resolve))
      }
    }
    for await (const result of scan(turns(), "info", { timeoutMs: 3000, recurring: true })) {
      results.push(result._tag)
      if (results.length % 2 === 0) next()
    }
    expect(results).toEqual(["Answered", "Answered", "Answered", "Answered"])
  })
})
