/** Scans over real UDP: every row of the scenario table, and interruption. */
import type { ScanQuery } from "@sourcewire/core"
import { ScanProgress } from "@sourcewire/core"
import { startServer } from "@sourcewire/server"
import type { ScenarioClient } from "@sourcewire/server/scenarios"
import { runScenario, scenarios } from "@sourcewire/server/scenarios"
import { describe, expect, it } from "vitest"
import { NodeDatagrams, scan } from "../src/index.ts"

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
