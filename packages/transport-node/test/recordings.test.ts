/** Recordings of real servers, replayed over UDP. For each recording, a UDP server sends the recorded replies to the recorded requests. */
import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { connect, scan } from "../src/index.ts"
import { proxied } from "./proxied.ts"
import { udpServer } from "./udpServer.ts"

interface Recording {
  readonly exchanges: ReadonlyArray<{
    readonly name: string
    readonly request_hex: string
    readonly replies: ReadonlyArray<{ readonly hex: string }>
  }>
}

/**
 * Starts a server that sends the recorded replies. If several exchanges of the recording have the same request, the server sends the
 * replies of the last of these exchanges whose name is in `preferred`. If `preferred` names none of these exchanges, the server sends the
 * replies of the last exchange with this request.
 */
const replay = (name: string, preferred: ReadonlyArray<string> = []) => {
  const url = new URL(`../../core/test/fixtures/recordings/${name}.json`, import.meta.url)
  const { exchanges } = JSON.parse(readFileSync(url, "utf8")) as Recording
  const chosen = exchanges.filter((one) => preferred.includes(one.name))
  const replies = new Map(
    [...exchanges, ...chosen].map((one) => [one.request_hex, one.replies.map(({ hex }) => hex)] as const)
  )
  return udpServer((request) => replies.get(request) ?? [])
}

const messageName = (datagram: Uint8Array): string => Result.getOrThrow(decode(datagram))._tag

const QUICK = { timeoutMs: 250, retries: 2 }
const timeout = { _tag: "Timeout" }

it("xash3d: a server with players replies to all queries", async () => {
  await using server = await replay("xash3d", ["info: five bots", "players: challenge -1 (2)"])
  await using client = await connect()
  const answer = await client.query(server.address)
  expect(answer.info).toMatchObject({ _tag: "InfoReply", players: 5, bots: 5, maxPlayers: 16 })
  expect(answer.players).toMatchObject({ announced: 5, players: { length: 5 } })
  await expect(client.ping(server.address)).resolves.toMatchObject({ via: "ping" })
})

it("xash3d: an empty server sends a challenge, but no list of players", async () => {
  await using server = await replay("xash3d", ["players: challenge -1"])
  await using client = await connect()
  await expect(client.players(server.address, QUICK)).rejects.toMatchObject({ ...timeout, phase: "challenge" })
})

it("xash3d: a query of an empty server returns an empty list of players before the timeout", async () => {
  await using server = await replay("xash3d", ["info: no players", "players: challenge -1"])
  await using client = await connect({ timeoutMs: 60_000 })
  const answer = await client.query(server.address)
  expect(answer).toMatchObject({ info: { players: 0 }, players: { players: [] }, playersAssumed: true })
  expect(answer.errors).toBeUndefined()
  const scanned: Array<unknown> = []
  for await (const result of scan([server.address], "all")) scanned.push(result)
  expect(scanned).toMatchObject([{ _tag: "Answered", players: { players: [] }, playersAssumed: true }])
})

it("rehlds: the server replies to pings, but to no queries", async () => {
  await using server = await replay("rehlds")
  await using client = await connect(QUICK)
  await expect(client.info(server.address)).rejects.toMatchObject({ ...timeout, phase: "request" })
  await expect(client.players(server.address)).rejects.toMatchObject(timeout)
  await expect(client.rules(server.address)).rejects.toMatchObject(timeout)
  await expect(client.ping(server.address)).resolves.toMatchObject({ via: "ping", payload: "" })
})

it("rehlds: the error of a query reports that the server is up", async () => {
  await using server = await replay("rehlds")
  await using client = await connect({ timeoutMs: 400 })
  const alive = { ...timeout, phase: "request", alive: true, message: expect.stringContaining("The server is up") }
  await expect(client.info(server.address)).rejects.toMatchObject(alive)
  await expect(client.query(server.address)).rejects.toMatchObject(alive)
})

it("rehlds: the handshake is in GoldSource's form", async () => {
  await using server = await replay("rehlds")
  await using client = await connect()
  await expect(client.handshake(server.address)).resolves.toMatchObject({
    form: "goldsource",
    authProtocol: 3,
    authProtocolName: "steam",
    steamId: "72057598332895232",
    vac: false,
    reply: { _tag: "GoldSourceHandshakeChallenge", serverChallenge: 352753098 }
  })
})

it.each(["xash3d", "hltv", "cacher"])(
  "%s: the server replies to queries, but not to Source's handshake, and the error reports both facts",
  async (name) => {
    await using server = await replay(name)
    await using client = await connect({ timeoutMs: 2000 })
    const failure: unknown = await client.handshake(server.address, { form: "source" }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ ...timeout, phase: "request", alive: true })
    expect((failure as Error).message).toContain("replies to queries (A2S_INFO), but not to this handshake")
  }
)

it("hltv: the server requires no challenge, and replies in the old dialect", async () => {
  await using server = await replay("hltv", ["info T"])
  const kinds = new Set<string>()
  await using client = await connect({
    onDatagram: (direction, bytes) => direction === "received" && kinds.add(messageName(bytes))
  })
  const answer = await client.query(server.address)
  expect([...kinds].toSorted()).toEqual(["GoldSourceInfoReply", "PlayersReply", "RulesReply"])
  expect(answer.info).toMatchObject({ _tag: "GoldSourceInfoReply", maxPlayers: 128, serverType: "sourcetv" })
  expect(answer).toMatchObject({ players: { announced: 4 }, rules: { announced: 5 } })
  expect(answer.errors).toBeUndefined()
})

it("cacher: the server replies to INFO and PLAYER, but not to RULES", async () => {
  await using server = await replay("cacher", ["info: 25-byte request without challenge"])
  await using client = await connect(QUICK)
  const answer = await client.query(server.address)
  expect(answer.info).toMatchObject({ _tag: "InfoReply", name: "Xash probe server" })
  expect(answer.players).toMatchObject({ announced: 4 })
  expect(answer.errors?.rules).toMatchObject(timeout)
})

// The cacher never replies to RULES. Therefore its query always takes the whole timeout, and this timeout is short. The other queries end
// before their timeouts.
it.each([
  ["xash3d", ["info: five bots", "players: challenge -1 (2)"], 20_000],
  ["hltv", ["info T"], 20_000],
  ["cacher", ["info: 25-byte request without challenge"], 1000]
])("%s: a proxy returns the same replies as the server", async (name, preferred, timeoutMs) => {
  await using server = await replay(name, preferred)
  await using client = await connect({ timeoutMs })
  const queryParts = async (address: string) => {
    const { info, players, rules } = await client.query(address)
    return { info, players, rules }
  }
  const direct = await queryParts(server.address)
  await using front = await proxied(server.address, undefined, { timeoutMs })
  const through = await queryParts(front.address)
  expect(JSON.stringify(through)).toBe(JSON.stringify(direct))
  expect(through.players?.players.length).toBeGreaterThan(0)
})
