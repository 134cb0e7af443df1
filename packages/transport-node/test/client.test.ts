import type { ClientError, PromiseClient } from "@sourcewire/core"
import type { Socket } from "node:dgram"
import { createSocket } from "node:dgram"
import * as diagnostics from "node:diagnostics_channel"
import { describe, expect, it } from "vitest"
import { connect } from "../src/index.ts"
import { closedPort, udpServer } from "./udpServer.ts"

const ASK_INFO = "ffffffff54536f7572636520456e67696e6520517565727900"
const INFO =
  "ffffffff4931586173682070726f6265207365727665720070726f62655f726f6f6d0076616c76650048616c662d4c696665000000001000646c0000302e323100"
const PLAYERS = "ffffffff4400"

/** A server that requires a challenge. If the request contains the challenge, the server replies to INFO and PLAYER. */
const gameServer = (request: string): ReadonlyArray<string> => {
  if (!request.endsWith("0a0b0c0d")) return ["ffffffff410a0b0c0d"]
  return request.startsWith(ASK_INFO) ? [INFO] : request.startsWith("ffffffff55") ? [PLAYERS] : []
}

const catchFailure = async (promise: Promise<unknown>): Promise<ClientError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: ClientError) => error
  )

/** Sockets that were opened during the tests and are still open. */
const openSockets = new Set<Socket>()
diagnostics.subscribe("udp.socket", (message) => {
  const { socket } = message as { readonly socket: Socket }
  openSockets.add(socket)
  socket.once("close", () => openSockets.delete(socket))
})

describe.each(["127.0.0.1", "::1"])("a client over %s", (host) => {
  it("uses one source port for the challenge, the query and later queries", async () => {
    await using server = await udpServer(gameServer, host)
    // The client does not retransmit and has a long timeout, because retransmissions on a slow host would change the result.
    await using client = await connect({ timeoutMs: 20_000, retries: 0 })
    const info = await client.info(server.address)
    expect(info).toMatchObject({ _tag: "InfoReply", name: "Xash probe server", map: "probe_room" })
    await expect(client.players(server.address)).resolves.toMatchObject({ players: [] })
    expect(server.senders).toHaveLength(4)
    expect(new Set(server.senders).size).toBe(1)
  })

  it("reports a closed port before the timeout", async () => {
    await using client = await connect({ timeoutMs: 20_000 })
    const port = await closedPort(host)
    const error = await catchFailure(client.info({ host, port }))
    expect(error._tag).toBe("PortClosed")
    expect(client.counters.sent).toBe(1)
  })
})

describe("an error of a client", () => {
  it("is Timeout if there is no reply, and contains the number of sent datagrams", async () => {
    await using server = await udpServer(() => [])
    await using client = await connect()
    const error = await catchFailure(client.info(server.address, { timeoutMs: 1500, retries: 2 }))
    expect(error).toMatchObject({ _tag: "Timeout", phase: "request", sent: 3, received: 0 })
    expect(server.senders).toHaveLength(3)
  })

  it("is Unresolved if a name cannot be resolved", async () => {
    await using server = await udpServer(gameServer)
    await using client = await connect()
    expect(await catchFailure(client.info("nowhere.invalid"))).toMatchObject({
      _tag: "Unresolved",
      host: "nowhere.invalid"
    })
    await expect(client.info(`localhost:${server.port}`)).resolves.toMatchObject({ _tag: "InfoReply" })
  })

  it("is InvalidAddress for an invalid address, and InvalidOption for an invalid option", async () => {
    await using client = await connect()
    expect((await catchFailure(client.info("127.0.0.1:port")))._tag).toBe("InvalidAddress")
    expect((await catchFailure(client.info("127.0.0.1", { retries: -1 })))._tag).toBe("InvalidOption")
    await expect(connect({ timeoutMs: 0 })).rejects.toMatchObject({ _tag: "InvalidOption", option: "timeoutMs" })
  })

  it("is Timeout even if a reply arrives from a port other than the target's port", async () => {
    await using server = await udpServer(() => [])
    await using client = await connect()
    const query = catchFailure(client.info(server.address, { timeoutMs: 200, retries: 0 }))
    await expect.poll(() => server.senders.length).toBe(1)
    const socket = createSocket("udp4")
    socket.send(Buffer.from(INFO, "hex"), server.senders[0]!, "127.0.0.1")
    expect(await query).toMatchObject({ _tag: "Timeout", received: 0 })
    socket.close()
  })
})

describe("a query in flight", () => {
  const startQuery = async (client: PromiseClient, address: string) => {
    const controller = new AbortController()
    const query = client.info(address, { signal: controller.signal }).catch((reason: unknown) => reason)
    return { controller, query }
  }

  it("when its signal is aborted, rejects with the signal's reason and sends no more datagrams", async () => {
    await using server = await udpServer(() => [])
    await using client = await connect({ timeoutMs: 300 })
    const { query, controller } = await startQuery(client, server.address)
    await expect.poll(() => server.senders.length).toBeGreaterThan(0)
    const reason = new Error("no longer wanted")
    controller.abort(reason)
    expect(await query).toBe(reason)
    const { sent } = client.counters
    await catchFailure(client.info(server.address, { timeoutMs: 300, retries: 0 }))
    expect(client.counters.sent).toBe(sent + 1)
    await expect(client.info(server.address, { signal: controller.signal })).rejects.toBe(reason)
  })

  it("rejects with ConnectionClosed when the client is closed, and the client closes its socket", async () => {
    await using server = await udpServer(() => [])
    const before = openSockets.size
    const client = await connect()
    const query = catchFailure(client.info(server.address))
    await expect.poll(() => server.senders.length).toBeGreaterThan(0)
    expect(openSockets.size).toBe(before + 1)
    await client.close()
    expect((await query)._tag).toBe("ConnectionClosed")
    expect((await catchFailure(client.info(server.address)))._tag).toBe("ConnectionClosed")
    await expect.poll(() => openSockets.size).toBe(before)
  })
})

it("a client can query hundreds of servers at the same time", async () => {
  await using stack = new AsyncDisposableStack()
  const servers = await Promise.all(Array.from({ length: 300 }, () => udpServer(gameServer)))
  for (const server of servers) stack.use(server)
  const client = stack.use(await connect())
  const infos = await Promise.all(servers.map(({ address }) => client.info(address)))
  expect(infos.every(({ name }) => name === "Xash probe server")).toBe(true)
})
