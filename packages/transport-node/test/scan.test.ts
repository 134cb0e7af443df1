/** Scans over real UDP: every row of the scenario table, interruption, and what the system says about lost datagrams. */
import type { ScanQuery } from "@sourcewire/core"
import { ScanProgress } from "@sourcewire/core"
import { startServer } from "@sourcewire/server"
import type { ScenarioClient } from "@sourcewire/server/scenarios"
import { runScenario, scenarios } from "@sourcewire/server/scenarios"
import { createSocket } from "node:dgram"
import { describe, expect, it } from "vitest"
import { NodeDatagrams, scan } from "../src/index.ts"
import { dropCounter, dropsIn } from "../src/linuxDrops.ts"

/** A scan of one target as a client. */
const ask = async (address: string, query: ScanQuery): Promise<unknown> => {
  for await (const result of scan(address, query)) {
    if (result._tag === "Failed") throw result.error
    return (result as unknown as Readonly<Record<ScanQuery, unknown>>)[query]
  }
  throw new Error("no result")
}

const client: ScenarioClient = {
  info: (address) => ask(address, "info") as ReturnType<ScenarioClient["info"]>,
  players: (address) => ask(address, "players") as ReturnType<ScenarioClient["players"]>,
  rules: (address) => ask(address, "rules") as ReturnType<ScenarioClient["rules"]>
}

describe("a scan, with its default settings", () => {
  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, scenario) => {
    expect(await runScenario(scenario, client, NodeDatagrams.layer)).toBeUndefined()
  })

  it("gives INFO, PLAYER and RULES at once, in batches too", async () => {
    await using server = await startServer({ transport: NodeDatagrams.layer })
    const target = `${server.address}:${server.port}`
    for await (const [result] of scan([target], "all").batches()) {
      expect(result).toMatchObject({
        _tag: "Answered",
        target,
        info: { _tag: "InfoReply" },
        players: { _tag: "PlayersReply" },
        rules: { _tag: "RulesReply" }
      })
      expect(result).not.toHaveProperty("errors")
    }
    expect(server.counters().requests).toBe(4)
  })
})

/** Nobody answers there, and nobody says so. */
async function* silence() {
  for (let i = 0; ; i++) yield `127.9.${(i >> 8) & 255}.${i & 255}:9`
}

describe("the end of a scan", () => {
  it("comes with the signal, and with its reason", async () => {
    const controller = new AbortController()
    const progress = new ScanProgress()
    const reason = new Error("enough")
    const reading = (async () => {
      for await (const _ of scan(silence(), "info", { signal: controller.signal, progress, concurrency: 10 })) continue
    })()
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect(progress.inFlight).toBe(0)
  })

  it.each(["in the loop", "while it waits"])("comes with the signal %s, after results, and once", async (when) => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const options = { signal: controller.signal, concurrency: 10, timeoutMs: 200 }
    let batches = 0
    const reading = (async () => {
      for await (const _ of scan(silence(), "info", options).batches()) {
        if (batches++ > 0) continue
        if (when === "in the loop") controller.abort(reason)
        else setTimeout(() => controller.abort(reason), 1)
      }
    })()
    await expect(reading).rejects.toBe(reason)
    const iterator = scan(silence(), "info", { signal: controller.signal }).batches()[Symbol.asyncIterator]()
    await expect(iterator.next()).rejects.toBe(reason)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it("rejects when an option makes no sense", async () => {
    const reading = (async () => {
      for await (const _ of scan([], "info", { concurrency: -1 })) continue
    })()
    await expect(reading).rejects.toMatchObject({ _tag: "InvalidOption", option: "concurrency" })
  })
})

describe("datagrams that Linux has dropped", () => {
  const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  100: 00000000:6987 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 0
  101: 0100007F:A1B2 0100007F:6987 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0000000000000000 37
`

  it("stand in the line of the socket's port", () => {
    expect(dropsIn(TABLE, 0xa1b2)).toBe(37)
    // Also the remote end of another line.
    expect(dropsIn(TABLE, 0x6987)).toBe(0)
    expect(dropsIn(TABLE.trimEnd(), 0xa1b2)).toBe(37)
    expect(dropsIn(TABLE, 1)).toBe(0)
  })

  it.runIf(process.platform === "linux")("are counted for a real socket", async () => {
    const receiver = createSocket({ type: "udp4", recvBufferSize: 4096 })
    const sender = createSocket("udp4")
    try {
      await new Promise<void>((resolve) => receiver.bind(0, "127.0.0.1", resolve))
      const { address, port } = receiver.address()
      const count = dropCounter(4, { address, port })!
      expect(count()).toBe(0)
      const sent = Array.from(
        { length: 100 },
        () => new Promise<void>((resolve) => sender.send(new Uint8Array(1000), port, address, () => resolve()))
      )
      await Promise.all(sent)
      expect(count()).toBeGreaterThan(0)
    } finally {
      receiver.close()
      sender.close()
    }
  })
})
