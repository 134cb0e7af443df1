import { assert, describe, it } from "@effect/vitest"
import { startMaster } from "@sourcewire/server"
import { type ListedServer } from "@sourcewire/server/machines"
import { layer } from "../src/effect.ts"
import { master as listServers } from "../src/index.ts"

const servers = Array.from({ length: 600 }, (_, i): ListedServer => ({
  address: `10.0.${i >> 8}.${i & 255}:27015`,
  gamedir: i % 3 === 0 ? "cstrike" : "tf"
}))

const collect = async (list: AsyncIterable<string>): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for await (const address of list) all.push(address)
  return all
}

describe("the list of a master server over UDP", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.0.0.1", false],
    ["::1", false]
  ])("is complete over %s (the master replies to unverified addresses: %s)", async (host, repliesToUnverified) => {
    await using master = await startMaster({ transport: layer, host, servers, repliesToUnverified })
    const all = await collect(listServers({ host, port: master.port }, { pageIntervalMs: 0 }))
    assert.deepStrictEqual(
      all,
      servers.map(({ address }) => address)
    )
    const { bytesIn, bytesOut } = master.counters()
    if (!repliesToUnverified) assert.isAtMost(bytesOut, bytesIn)
  })

  it("is complete if the master sends the list in many datagrams", async () => {
    const servers = Array.from({ length: 701 }, (_, i): ListedServer => ({
      address: `10.7.${i >> 8}.${i & 255}:27015`
    }))
    await using master = await startMaster({ transport: layer, servers, profile: "xash3d" })
    const all = await collect(listServers(`127.0.0.1:${master.port}`))
    assert.deepStrictEqual(all.toSorted(), servers.map(({ address }) => address).toSorted())
  })

  it("can be filtered", async () => {
    await using master = await startMaster({ transport: layer, servers })
    const filter = { none: { gamedir: "tf" } }
    const all = await collect(listServers(`127.0.0.1:${master.port}`, { filter, pageIntervalMs: 0 }))
    assert.strictEqual(all.length, 200)
  })

  it("if the reader stops after the first address, the client requests at most one more page", async () => {
    const servers = Array.from({ length: 6000 }, (_, i): ListedServer => ({
      address: `10.0.${i >> 8}.${i & 255}:27015`
    }))
    await using master = await startMaster({ transport: layer, servers })
    const address = `127.0.0.1:${master.port}`
    const options = { pageIntervalMs: 0, retries: 0, timeoutMs: 20_000 }
    const readAll = () => collect(listServers(address, options))
    await readAll()
    const pages = master.counters().requests
    assert.isAbove(pages, 10)
    for await (const first of listServers(address, options)) {
      assert.strictEqual(first, "10.0.0.0:27015")
      // While another list is read, the client could request further pages of this list.
      await readAll()
      break
    }
    await readAll()
    assert.isAtMost(master.counters().requests, 3 * pages + 2)
  })

  it("ends with the reason of the signal when the signal is aborted", async () => {
    await using master = await startMaster({ transport: layer, servers })
    const controller = new AbortController()
    const list = listServers(`127.0.0.1:${master.port}`, { pageIntervalMs: 600_000, signal: controller.signal })
    const reason = new Error("enough")
    const error: unknown = await (async () => {
      for await (const _ of list) controller.abort(reason)
    })().catch((error: unknown) => error)
    assert.strictEqual(error, reason)
  })

  it.each([
    [null, "options"],
    [{ signal: {} }, "signal"],
    [{ signal: "now" }, "signal"]
  ])("with the invalid options %j, fails with an error that names %s", async (options, named) => {
    const error: unknown = await collect(listServers("127.0.0.1:1", options as never)).catch((error: unknown) => error)
    assert.propertyVal(error, "option", named)
  })

  it.each([
    ["", "NoMaster"],
    ["127.0.0.1:0", "InvalidAddress"]
  ])("for the address %j, fails with %s", async (address, tag) => {
    const error: unknown = await collect(listServers(address)).catch((error: unknown) => error)
    assert.propertyVal(error, "_tag", tag)
  })
})
