/** Scans over real UDP: all scenarios of the emulator, and the ways in which a scan can end. */
import { ScanProgress } from "@sourcewire/core"
import type { ScanQuery } from "@sourcewire/core"
import { startServer } from "@sourcewire/emulator"
import { runScenario, scenarios } from "@sourcewire/emulator/scenarios"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it, vi } from "vitest"
import { layer } from "../src/effect.ts"
import { scan } from "../src/index.ts"

/** Queries one target with a scan. Like the methods of a client, this function returns the reply or throws the error. */
const ask = async (address: string, query: ScanQuery): Promise<unknown> => {
  for await (const result of scan(address, query)) {
    if (result._tag === "Failed") throw result.error
    return (result as unknown as Readonly<Record<ScanQuery, unknown>>)[query]
  }
  throw new Error("no result")
}

type ScenarioClient = Parameters<typeof runScenario>[1]
const client: ScenarioClient = {
  info: (address) => ask(address, "info") as ReturnType<ScenarioClient["info"]>,
  players: (address) => ask(address, "players") as ReturnType<ScenarioClient["players"]>,
  rules: (address) => ask(address, "rules") as ReturnType<ScenarioClient["rules"]>
}

describe("a scan, with its default settings", () => {
  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, scenario) => {
    expect(await runScenario(scenario, client, layer)).toBeUndefined()
  })

  it("returns INFO, PLAYER and RULES in batches", async () => {
    await using server = await startServer({ transport: layer })
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

/** An endless list of targets that neither reply nor report that their port is closed. */
async function* silence() {
  for (let i = 0; ; i++) yield `127.9.${(i >> 8) & 255}.${i & 255}:9`
}

describe("the loop over a scan", () => {
  it("ends with the reason of the signal when the signal is aborted", async () => {
    const controller = new AbortController()
    const progress = new ScanProgress()
    const reason = new Error("enough")
    const reading = (async () => {
      for await (const _ of scan(silence(), "info", { signal: controller.signal, progress, concurrency: 10 })) continue
    })()
    await vi.waitUntil(() => progress.inFlight === 10, { timeout: 20_000, interval: 1 })
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect(progress.inFlight).toBe(0)
  })

  it("leaves no targets in flight in the progress when the caller leaves the loop", async () => {
    const progress = new ScanProgress()
    const targets = Array.from({ length: 50 }, (_, i) => `127.9.1.${i}:9`)
    const options = { progress, concurrency: 1000 }
    for await (const _ of scan(["no address", ...targets], "info", options).batches()) {
      await vi.waitUntil(() => progress.inFlight === targets.length, { timeout: 20_000, interval: 1 })
      break
    }
    expect(progress.inFlight).toBe(0)
  })

  it.each(["before the scan starts", "in the loop", "while the loop waits"])(
    "throws the reason of the signal exactly once if the signal is aborted %s",
    async (when) => {
      const controller = new AbortController()
      const reason = new Error("enough")
      const options = { signal: controller.signal, concurrency: 10, timeoutMs: 200 }
      const batches = scan(silence(), "info", options).batches()[Symbol.asyncIterator]()
      /** Reads all batches until the end. */
      const readRest = async (): Promise<void> => {
        while ((await batches.next()).done !== true) continue
      }
      if (when === "before the scan starts") controller.abort(reason)
      else expect(await batches.next()).toMatchObject({ done: false })
      if (when === "in the loop") controller.abort(reason)
      const reading = readRest()
      controller.abort(reason)
      await expect(reading).rejects.toBe(reason)
      await readRest()
      expect(await batches.next()).toEqual({ done: true, value: undefined })
    }
  )

  it("ends with InvalidOption if an option is invalid", async () => {
    const reading = (async () => {
      for await (const _ of scan([], "info", { concurrency: -1 })) continue
    })()
    await expect(reading).rejects.toMatchObject({ _tag: "InvalidOption", option: "concurrency" })
  })
})

/**
 * Runs a JavaScript program, and returns its output. The program can call `scan`. It can also call `silence()`, which returns an endless
 * list of targets that never reply.
 */
const runProgram = async (source: string): Promise<string> => {
  const module = new URL("../src/index.ts", import.meta.url).href
  const head = `
    import { scan } from ${JSON.stringify(module)}
    import { setImmediate as turn } from "node:timers/promises"
    function* silence() { for (let i = 0; ; i++) yield \`127.9.\${(i >> 8) & 255}.\${i & 255}:9\` }`
  // If the program does not end by itself, `execFile` kills it after 100 s.
  const args = ["--input-type=module", "--eval", `${head}\n${source}`]
  return (await promisify(execFile)(process.execPath, args, { timeout: 100_000 })).stdout
}

describe("a JavaScript program with a scan", { timeout: 120_000 }, () => {
  it.concurrent("ends after a scan has been stopped in any way", async () => {
    const stdout = await runProgram(`
      const ways = {
        "in the loop": async () => { for await (const _ of scan([...silence().take(50)], "info", { timeoutMs: 300 })) break },
        "for an error": async () => { for await (const _ of scan(["no address", ...silence().take(50)])) throw "mine" },
        "by stop": async () => { for await (const _ of scan(silence(), "info", { stop: AbortSignal.timeout(50) })) continue },
        "by signal": async () => { for await (const _ of scan(silence(), "info", { signal: AbortSignal.timeout(50) })) continue },
        "while it waits for its rate": async () => { for await (const _ of scan(["no address", ...silence().take(50)], "info", { rate: 1 })) break },
        "while it looks up a name": async () => { for await (const _ of scan(["no address", "name.invalid"])) break },
        "for an option": async () => { for await (const _ of scan(silence(), "info", { rate: -1 })) continue },
        "for a source": async () => { for await (const _ of scan({ [Symbol.iterator]: () => 5 })) continue }
      }
      for (const [way, run] of Object.entries(ways)) {
        await run().catch(() => undefined)
        for (let i = 0; i < 10; i++) await turn()
        const left = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind.startsWith("UDP"))
        console.log(way, left.join())
      }
      // The program reads only one batch of an endless scan. When too many unread results wait, the scan stops sending, and the process can
      // end.
      await scan(silence(), "info", { timeoutMs: 100 }).batches()[Symbol.asyncIterator]().next()
      console.log("over")`)
    const ways = ["in the loop", "for an error", "by stop", "by signal", "while it waits for its rate"]
    ways.push("while it looks up a name", "for an option", "for a source")
    expect(stdout).toBe([...ways.map((way) => `${way} \n`), "over\n"].join(""))
  })

  it.concurrent("receives errors for invalid targets and options", async () => {
    const stdout = await runProgram(`
      const results = []
      for await (const result of scan(["127.0.0.1:9", null, 5, {}], "info", { timeoutMs: 300 })) results.push(result)
      console.log(results.map(({ error }) => error._tag).sort().join())
      try {
        for await (const _ of scan(["127.0.0.1:9"], { concurrency: 5 })) continue
      } catch (error) {
        console.log(error._tag, error.option)
      }`)
    expect(stdout).toBe("InvalidAddress,InvalidAddress,InvalidAddress,Timeout\nInvalidOption query\n")
  })

  it.concurrent("closes the source of the targets when the scan ends", async () => {
    const stdout = await runProgram(`
      const source = (async function* () { try { yield* silence() } finally { console.log("generator") } })()
      for await (const _ of scan(source, "info", { timeoutMs: 100 })) break
      const next = async () => ({ value: "no address", done: false })
      const custom = { [Symbol.asyncIterator]: () => ({ next, return: async () => console.log("iterator") }) }
      for await (const _ of scan(custom)) break
      const strange = { [Symbol.asyncIterator]: () => ({ next, return: () => { console.log("thrower"); throw 1 } }) }
      for await (const _ of scan(strange)) break
      const sync = (function* () { try { yield* silence() } finally { console.log("sync") } })()
      for await (const _ of scan(sync, "info", { timeoutMs: 100, stop: AbortSignal.timeout(20) })) continue`)
    expect(stdout).toBe("generator\niterator\nthrower\nsync\n")
  })
})
