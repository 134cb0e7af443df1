import { assert, describe, it } from "@effect/vitest"
import type { InfoReply } from "@sourcewire/protocol"
import { profiles, startServer } from "@sourcewire/emulator"
import { type ProxyEvent, startProxy } from "@sourcewire/proxy"
import { Responder } from "@sourcewire/server"
import * as dgram from "node:dgram"
import { once } from "node:events"
import { layer as transport } from "../src/effect.ts"
import { connect } from "../src/index.ts"
import { proxied, until } from "./proxied.ts"

const css = profiles.css()

/** Opens a socket that sends requests and waits for their replies. */
const openSocket = async (port: number) => {
  const socket = dgram.createSocket("udp4")
  let received = 0
  let last: Buffer = Buffer.alloc(0)
  socket.on("message", (bytes) => {
    received++
    last = bytes
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return {
    /** Sends a request the given number of times, and returns the last reply. Each request gets one reply. */
    ask: async (request: Uint8Array, times: number): Promise<Buffer> => {
      const wanted = received + times
      for (let i = 0; i < times; i++) socket.send(request, port, "127.0.0.1")
      await until(() => received >= wanted)
      return last
    },
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, "close")
    }
  }
}

const INFO = Uint8Array.from("\u00ff\u00ff\u00ff\u00ffTSource Engine Query\0", (c) => c.charCodeAt(0))

describe("a proxy over real UDP", () => {
  it("replies to ten thousand queries from its cache, without sending any datagram to the game server", async () => {
    await using server = await startServer({ transport, profile: "css" })
    const upstream = `127.0.0.1:${server.port}`
    await using front = await proxied(upstream, undefined, { refreshMs: 3_600_000 })
    const { sent: before } = front.proxy.status()[0]!.back
    await using socket = await openSocket(Number(front.address.split(":")[1]))
    const challenge = await socket.ask(INFO, 1)
    const withChallenge = Uint8Array.of(...INFO, ...challenge.subarray(5))
    // The requests are sent in batches that fit into the receive buffer of a socket.
    for (let sent = 0; sent < 10_000; sent += 50) await socket.ask(withChallenge, 50)
    const [status] = front.proxy.status()
    assert.strictEqual(status!.front.requests.info, 10_001)
    assert.strictEqual(status!.front.replies, 10_001)
    assert.strictEqual(status!.back.sent, before)
    // On a slow host, a retransmission that the proxy sent before the queries may not have arrived at the game server yet.
    assert.isAtMost(server.counters().requests, before)
  })

  it("counts all datagrams of a flood as read or dropped, and replies to later clients", async () => {
    await using server = await startServer({ transport, profile: "css" })
    await using front = await proxied(`127.0.0.1:${server.port}`)
    const port = Number(front.address.split(":")[1])
    const flooder = dgram.createSocket("udp4")
    try {
      flooder.bind(0, "127.0.0.1")
      await once(flooder, "listening")
      const junk = Uint8Array.from({ length: 200 }, (_, i) => i)
      const sent = Array.from(
        { length: 20_000 },
        () => new Promise<void>((resolve) => flooder.send(junk, port, "127.0.0.1", () => resolve()))
      )
      await Promise.all(sent)
      const { dropped: before } = front.proxy.status()[0]!.front
      assert.strictEqual(before === undefined, process.platform !== "linux")
      if (before !== undefined) {
        await until(() => {
          const { dropped = 0, requests } = front.proxy.status()[0]!.front
          return requests.other + dropped === sent.length
        })
      }
      await using client = await connect()
      assert.deepInclude(await client.info(front.address), { map: (css.info as InfoReply).map })
    } finally {
      flooder.close()
    }
  })

  it("replies to clients while its game server floods the proxy with datagrams", async () => {
    const responder = new Responder(css)
    const game = dgram.createSocket("udp4")
    let proxyAddress: dgram.RemoteInfo | undefined
    let isOver = false
    const flood = (): void => {
      if (isOver || proxyAddress === undefined) return
      const { address, port } = proxyAddress
      for (let i = 0; i < 50; i++) game.send(INFO, port, address)
      setImmediate(flood)
    }
    game.on("message", (request, from) => {
      proxyAddress = from
      for (const reply of responder.respond(request, from.address, from.port, 0)) {
        game.send(reply, from.port, from.address)
      }
    })
    game.bind(0, "127.0.0.1")
    await once(game, "listening")
    try {
      await using front = await proxied(`127.0.0.1:${game.address().port}`, ["info"], { refreshMs: 100 })
      await using client = await connect()
      flood()
      for (let count = 0; count < 100; count++) {
        assert.deepInclude(await client.info(front.address), { map: (css.info as InfoReply).map })
      }
      await until(() => front.proxy.status()[0]!.back.answered.info > 3)
    } finally {
      isOver = true
      game.close()
    }
  })

  it("replies to every query while its settings change, even if the address of its game server changes", async () => {
    await using server = await startServer({ transport, profile: "css" })
    await using other = await startServer({ transport, profile: "css" })
    const finder = dgram.createSocket("udp4").bind(0, "127.0.0.1")
    await once(finder, "listening")
    const { port } = finder.address()
    finder.close()
    await once(finder, "close")
    const servers = (turn: number) => [
      { upstream: `127.0.0.1:${turn % 4 < 2 ? server.port : other.port}`, port, refreshMs: 1000 + (turn % 2) }
    ]
    await using proxy = await startProxy({ transport, servers: servers(0) })
    await until(() => proxy.status()[0]!.back.answered.rules > 0)
    await using client = await connect({ retries: 0, timeoutMs: 10_000 })
    const stop = new AbortController()
    let replies = 0
    const querying = (async () => {
      while (!stop.signal.aborted) {
        const { info, players, rules } = await client.query(`127.0.0.1:${port}`)
        assert.deepInclude(info, { map: (css.info as InfoReply).map })
        assert.isDefined(players)
        assert.isDefined(rules)
        replies++
      }
    })()
    // The next query starts as soon as a query has ended, so a query is in flight during each change.
    const changing = (async () => {
      for (let turn = 1; turn <= 40; turn++) {
        const before = replies
        await Promise.all([proxy.reconfigure(servers(turn)), until(() => replies > before)])
      }
    })()
    await Promise.race([changing, querying]).finally(() => stop.abort())
    await querying
    assert.isAtLeast(replies, 40)
  })

  it("replies from its cache while its game server is down, and serves new replies when the game server is up again", async () => {
    const events: Array<ProxyEvent> = []
    const states = () => events.flatMap((event) => (event._tag === "State" ? [event.state] : []))
    const first = await startServer({ transport, profile: "css" })
    const { port } = first
    await using proxy = await startProxy({
      transport,
      servers: [{ upstream: `127.0.0.1:${port}`, refreshMs: 100, timeoutMs: 300 }],
      onEvent: (event) => void events.push(event)
    })
    const { listening } = proxy.status()[0]!
    await using client = await connect()
    await until(() => states().at(-1) === "fresh")
    await first.close()
    await until(() => states().at(-1) === "stale")
    assert.deepInclude(await client.info(listening), { map: (css.info as InfoReply).map })
    await using second = await startServer({ transport, port, profile: profiles.css({ port, map: "de_train" }) })
    await until(() => states().at(-1) === "fresh")
    assert.deepInclude(await client.info(listening), { map: "de_train" })
    assert.isAbove(second.counters().requests, 0)
  })

  it("replies from its cache after a restart", async () => {
    const server = await startServer({ transport, profile: "tf2" })
    const upstream = `127.0.0.1:${server.port}`
    const saved = await (async () => {
      await using front = await proxied(upstream)
      return await front.proxy.save()
    })()
    await server.close()
    await using proxy = await startProxy({ transport, servers: [{ upstream }], saved })
    await using client = await connect()
    const answer = await client.query(proxy.status()[0]!.listening)
    assert.deepInclude(answer.rules!, profiles.tf2().rules as object)
    assert.strictEqual(proxy.status()[0]!.state, "stale")
  })

  it.each<keyof typeof profiles>(["css", "tf2", "cs16", "rust", "arma3", "dayz", "ship", "xash3d", "hltv", "warsow"])(
    "sends a client the same replies that the game server sends: %s",
    async (profile) => {
      await using server = await startServer({ transport, profile })
      const upstream = `127.0.0.1:${server.port}`
      const queried = profile === "warsow" ? (["info", "players"] as const) : undefined
      await using front = await proxied(upstream, queried)
      await using client = await connect({ timeoutMs: profile === "warsow" ? 300 : 3000 })
      const shown = async (address: string) => {
        const { info, players, rules } = await client.query(address)
        return { info, players, rules }
      }
      const direct = await shown(upstream)
      assert.deepEqual(await shown(front.address), direct)
    }
  )

  it("if its port is in use, returns an error with this reason", async () => {
    await using server = await startServer({ transport, profile: "css" })
    const servers = [{ upstream: "127.0.0.1:1", port: server.port }]
    const error: unknown = await startProxy({ transport, servers }).then(undefined, (error: unknown) => error)
    assert.deepInclude(error, { _tag: "SendFailed", code: "EADDRINUSE" })
  })
})
