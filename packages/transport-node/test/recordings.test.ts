/** Recordings of real servers, replayed over UDP. Each one has a socket that replies to the recorded requests. */
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

/** Replies as recorded. If a request was recorded several times, the reply of a preferred exchange is used, otherwise the last one. */
const replay = (name: string, preferred: ReadonlyArray<string> = []) => {
  const url = new URL(`../../core/test/fixtures/recordings/${name}.json`, import.meta.url)
  const { exchanges } = JSON.parse(readFileSync(url, "utf8")) as Recording
  const chosen = exchanges.filter((one) => preferred.includes(one.name))
  const replies = new Map(
    [...exchanges, ...chosen].map((one) => [one.request_hex, one.replies.map(({ hex }) => hex)] as const)
  )
  return udpServer((request) => replies.get(request) ?? [])
}

const QUICK = { timeoutMs: 250, retries: 2 }
const silence = { _tag: "Timeout" }

it("xash3d: a server with players answers everything", async () => {
  await using server = await replay("xash3d", ["info: five bots", "players: challenge -1 (2)"])
  await using client = await connect()
  const answer = await client.query(server.address)
  expect(answer.info).toMatchObject({ _tag: "InfoReply", players: 5, bots: 5, maxPlayers: 16 })
  expect(answer.players).toMatchObject({ announced: 5, players: { length: 5 } })
  await expect(client.ping(server.address)).resolves.toMatchObject({ via: "ping" })
})

it("xash3d: an empty server sends a challenge, and no list", async () => {
  await using server = await replay("xash3d", ["players: challenge -1"])
  await using client = await connect()
  await expect(client.players(server.address, QUICK)).rejects.toMatchObject({ ...silence, phase: "challenge" })
})

it("xash3d: an empty server has an empty list of players, at once", async () => {
  await using server = await replay("xash3d", ["info: no players", "players: challenge -1"])
  await using client = await connect({ timeoutMs: 60_000 })
  const answer = await client.query(server.address)
  expect(answer).toMatchObject({ info: { players: 0 }, players: { players: [] }, playersAssumed: true })
  expect(answer.errors).toBeUndefined()
  const scanned: Array<unknown> = []
  for await (const result of scan([server.address], "all")) scanned.push(result)
  expect(scanned).toMatchObject([{ _tag: "Answered", players: { players: [] }, playersAssumed: true }])
})

it("rehlds: a server answers only the ping", async () => {
  await using server = await replay("rehlds")
  await using client = await connect(QUICK)
  await expect(client.info(server.address)).rejects.toMatchObject({ ...silence, phase: "request" })
  await expect(client.players(server.address)).rejects.toMatchObject(silence)
  await expect(client.rules(server.address)).rejects.toMatchObject(silence)
  await expect(client.ping(server.address)).resolves.toMatchObject({ via: "ping", payload: "" })
})

it("rehlds: the error says that the server is running", async () => {
  await using server = await replay("rehlds")
  await using client = await connect({ timeoutMs: 400 })
  const alive = { ...silence, phase: "request", alive: true, message: expect.stringContaining("The server is up") }
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
  "%s answers queries but not Source's handshake, and the failure says so",
  async (name) => {
    await using server = await replay(name)
    await using client = await connect({ timeoutMs: 2000 })
    const failure: unknown = await client.handshake(server.address, { form: "source" }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ ...silence, phase: "request", alive: true })
    expect((failure as Error).message).toContain("replies to queries (A2S_INFO), but not to this handshake")
  }
)

it("hltv: a proxy answers everything without a challenge, in the old dialect", async () => {
  await using server = await replay("hltv", ["info T"])
  await using client = await connect()
  const answer = await client.query(server.address)
  expect(answer.info).toMatchObject({ _tag: "GoldSourceInfoReply", maxPlayers: 128, serverType: "sourcetv" })
  expect(answer).toMatchObject({ players: { announced: 4 }, rules: { announced: 5 } })
  expect(answer.errors).toBeUndefined()
})

it("cacher: one challenge serves info and players, and there is no reply for rules", async () => {
  await using server = await replay("cacher", ["info: 25-byte request without challenge"])
  await using client = await connect(QUICK)
  const answer = await client.query(server.address)
  expect(answer.info).toMatchObject({ _tag: "InfoReply", name: "Xash probe server" })
  expect(answer.players).toMatchObject({ announced: 4 })
  expect(answer.errors?.rules).toMatchObject(silence)
})

it.each([
  ["xash3d", ["info: five bots", "players: challenge -1 (2)"]],
  ["hltv", ["info T"]],
  ["cacher", ["info: 25-byte request without challenge"]]
])("%s: a proxy shows the same as the server", async (name, preferred) => {
  await using server = await replay(name, preferred)
  await using client = await connect(QUICK)
  const shown = async (address: string) => {
    const { info, players, rules } = await client.query(address)
    return { info, players, rules }
  }
  const direct = await shown(server.address)
  await using front = await proxied(server.address, undefined, { timeoutMs: 250 })
  const through = await shown(front.address)
  expect(JSON.stringify(through)).toBe(JSON.stringify(direct))
  expect(through.players?.players.length).toBeGreaterThan(0)
})
