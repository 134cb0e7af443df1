import type { PromiseClient } from "@sourcewire/core"
import type { Abortable } from "@sourcewire/core/transport"
import { startRconServer } from "@sourcewire/server"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Call, complaints } from "../../../tooling/testing/hostile.ts"
import { layer } from "../src/effect.ts"
import * as node from "../src/index.ts"

const TIMES = { timeoutMs: 20, retries: 0 }

/** A socket that never replies. */
const silent = createSocket("udp4")
let address = ""
let client: PromiseClient

beforeAll(async () => {
  silent.bind(0, "127.0.0.1")
  await once(silent, "listening")
  address = `127.0.0.1:${silent.address().port}`
  client = await node.connect(TIMES)
})

afterAll(async () => {
  await client.close()
  silent.close()
})

const signal = () => new AbortController().signal

const drain = async (source: unknown): Promise<void> => {
  for await (const _ of source as AsyncIterable<unknown>);
}

const catchError = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error: { readonly _tag?: string }) => error._tag ?? error
  )

describe("an RCON session", () => {
  it("returns a value or one of our errors for any command and options", async () => {
    await using server = await startRconServer({
      transport: layer,
      engine: "source",
      password: "secret",
      port: 0,
      handler: (command) => `You said ${command.length}.\n`
    })
    await using rcon = await node.rcon(`127.0.0.1:${server.local.port}`, {
      password: "secret",
      engine: "source"
    })
    const options = () => ({ timeoutMs: 5000, totalTimeoutMs: 9000, signal: signal() })
    const call: Call = (...args) => rcon.exec(...(args as unknown as [string]))
    expect(await complaints({ call, good: [() => "status", options] })).toEqual([])
    const stream: Call = (...args) => drain(rcon.stream(...(args as unknown as [string])))
    expect(await complaints({ call: stream, good: [() => "status", options] })).toEqual([])
    expect(await rcon.exec("status")).toBe("You said 6.\n")
    await rcon.close()
    await rcon.close()
    expect(await catchError(rcon.exec("status"))).toBe("ConnectionClosed")
    expect(await catchError(drain(rcon.stream("status")))).toBe("ConnectionClosed")
  })
})

describe("the method `close`", () => {
  it("of a client can be called several times, and ends all other calls with ConnectionClosed", async () => {
    const closedClient = await node.connect(TIMES)
    const waiting = catchError(closedClient.info(address, { timeoutMs: 5000 }))
    await Promise.all([closedClient.close(), closedClient.close()])
    await closedClient[Symbol.asyncDispose]()
    expect(await waiting).toBe("ConnectionClosed")
    for (const name of ["info", "players", "rules", "challenge", "ping", "query", "handshake"] as const) {
      expect(await catchError(closedClient[name](address))).toBe("ConnectionClosed")
    }
    expect(await catchError(closedClient.queryKind("info", address))).toBe("ConnectionClosed")
  })

  it("of a log receiver can be called several times, and ends the loop that reads the logs", async () => {
    const logs = await node.logs({})
    await Promise.all([logs.close(), logs.close()])
    await logs[Symbol.asyncDispose]()
    await drain(logs)
  })
})

describe("a signal", () => {
  const reason = new Error("no longer wanted")
  const calls: Readonly<Record<string, (options: Abortable) => Promise<unknown>>> = {
    info: (options) => client.info(address, options),
    query: (options) => client.query(address, options),
    handshake: (options) => client.handshake(address, options),
    scan: (options) => drain(node.scan([address], "info", options)),
    master: (options) => drain(node.master(address, options)),
    rcon: (options) => node.rcon(address, { password: "x", ...options })
  }

  it.each(Object.entries(calls))(
    "ends a call of `%s` with the reason of the signal if the signal is already aborted",
    async (_, call) => {
      expect(await catchError(call({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    }
  )

  it.each(Object.entries(calls))(
    "causes the error InvalidOption in a call of `%s` if the signal is invalid",
    async (_, call) => {
      for (const none of [{}, "abort", { aborted: false, addEventListener: () => {} }]) {
        await expect(call({ signal: none as unknown as AbortSignal })).rejects.toMatchObject({
          _tag: "InvalidOption",
          option: "signal"
        })
      }
    }
  )
})

describe("an error", () => {
  it("contains the name of the invalid argument", async () => {
    await expect(client.info(undefined as never)).rejects.toMatchObject({ _tag: "InvalidAddress", input: "undefined" })
    await expect(client.queryKind("foo" as never, address)).rejects.toMatchObject({
      option: "kind",
      message: 'kind must be one of info, players, rules, challenge, ping, not "foo".'
    })
    await expect(client.ping(address, { via: "foo" as never })).rejects.toMatchObject({ option: "via" })
    await expect(client.handshake(address, { challenge: 1.5 })).rejects.toMatchObject({ option: "challenge" })
    await expect(client.info(address, 5000 as never)).rejects.toMatchObject({
      option: "options",
      message: "options must be an object, not 5000."
    })
    await expect(node.connect({ onDatagram: "log" as never })).rejects.toMatchObject({ option: "onDatagram" })
    await expect(drain(node.master(address, { pageIntervalMs: "5" as never }))).rejects.toMatchObject({
      option: "pageIntervalMs"
    })
    await expect(node.rcon(address, undefined as never)).rejects.toMatchObject({ option: "options" })
  })
})
