/** Tests the method `query` with a filter that drops some kinds of queries, and with a server that rejects every challenge once. */
import { profiles, startServer } from "@sourcewire/emulator"
import { messageType, MessageType } from "@sourcewire/protocol/wire"
import { describe, expect, it } from "vitest"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"

const { A2S_INFO, A2S_PLAYER, A2S_RULES } = MessageType

/** Starts an emulated server behind a filter that drops the given kinds of queries. `kinds` lists the kinds of all requests. */
const startFilteredServer = async (...dropped: ReadonlyArray<number>) => {
  const kinds: Array<number> = []
  const server = await startServer({
    transport: layer,
    profile: profiles.css(),
    intercept: (request) => {
      const type = messageType(request)!
      kinds.push(type)
      return dropped.includes(type)
    }
  })
  return Object.assign(server, { kinds })
}

const formatAddress = ({ address, port }: { readonly address: string; readonly port: number }): string =>
  `${address}:${port}`

const TIMEOUT_MS = 1500

describe("a filter that drops PLAYER or RULES", () => {
  it("if it drops both queries, delays the result by a single timeout, because the queries are in flight at the same time", async () => {
    await using server = await startFilteredServer(A2S_PLAYER, A2S_RULES)
    await using client = await connect({ timeoutMs: TIMEOUT_MS })
    const startedAt = performance.now()
    const { errors, info } = await client.query(formatAddress(server))
    const tookMs = performance.now() - startedAt
    expect(info._tag).toBe("InfoReply")
    expect(errors).toMatchObject({
      players: { _tag: "Timeout", address: formatAddress(server) },
      rules: { _tag: "Timeout", address: formatAddress(server) }
    })
    // If the two queries ran one after the other, they would take twice the timeout.
    expect(tookMs).toBeLessThan(2 * TIMEOUT_MS)
    // The client sent RULES before its last retransmission of PLAYER.
    expect(server.kinds.indexOf(A2S_RULES)).toBeLessThan(server.kinds.lastIndexOf(A2S_PLAYER))
  })

  it("if it drops only one of the two queries, does not affect the other query", async () => {
    for (const [dropped, missing, there] of [
      [A2S_RULES, "rules", "players"],
      [A2S_PLAYER, "players", "rules"]
    ] as const) {
      await using server = await startFilteredServer(dropped)
      await using client = await connect({ timeoutMs: 400 })
      const answer = await client.query(formatAddress(server))
      expect(answer).toHaveProperty(there)
      expect(answer.errors).toMatchObject({ [missing]: { _tag: "Timeout" } })
    }
  })
})

it("if a server rejects every challenge once, the client still receives replies to all queries", async () => {
  await using server = await startServer({
    transport: layer,
    profile: profiles.css(),
    faults: { rechallenge: 1, delayMs: 20 }
  })
  await using client = await connect()
  const { errors, players, rules } = await client.query(formatAddress(server))
  expect(errors).toBeUndefined()
  expect([players!._tag, rules!._tag]).toEqual(["PlayersReply", "RulesReply"])
})

it("a server without a filter receives four datagrams per call of `query`, even if its replies are delayed", async () => {
  for (const delayMs of [0, 30]) {
    const kinds: Array<number> = []
    await using server = await startServer({
      transport: layer,
      profile: profiles.css(),
      faults: { delayMs },
      onServed: ({ request }) => void kinds.push(messageType(request)!)
    })
    // The client does not retransmit and has a long timeout, because retransmissions on a slow host would change the result.
    await using client = await connect({ timeoutMs: 20_000, retries: 0 })
    expect(await client.query(formatAddress(server))).toMatchObject({ sent: 4 })
    expect(kinds).toEqual([A2S_INFO, A2S_INFO, A2S_PLAYER, A2S_RULES])
  }
})
