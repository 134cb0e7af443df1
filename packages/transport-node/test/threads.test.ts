/** Scans in real threads over real UDP. On Deno and Bun the same is tried by `tooling/conformance`. */
import type { ScanQuery, ScanResult } from "@sourcewire/core"
import { scanWith, ThreadFailed, Timeout } from "@sourcewire/core"
import { startServer } from "@sourcewire/server"
import * as Layer from "effect/Layer"
import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { NodeDatagrams, scan } from "../src/index.ts"
import * as NodeThreads from "../src/NodeThreads.ts"

/** Servers, each in a network of its own. */
const farm = async (count: number) => {
  const stack = new AsyncDisposableStack()
  const targets: Array<string> = []
  for (let i = 0; i < count; i++) {
    const options = {
      transport: NodeDatagrams.layer,
      profile: i % 2 === 0 ? "css" : "cs16",
      host: `127.70.${i}.1`
    } as const
    const { address, port } = stack.use(await startServer(options))
    targets.push(`${address}:${port}`)
  }
  return { targets, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Everything but what time has a part in, as JSON, in an order of its own. */
const comparable = (results: ReadonlyArray<ScanResult<ScanQuery>>): ReadonlyArray<string> =>
  results
    .map((result) => ({ ...result, rttMs: 0, sent: 0, received: 0 }))
    .map((result) => JSON.stringify(result._tag === "Failed" ? { ...result, error: result.error._tag } : result))
    .toSorted()

const collect = async <A>(all: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const one of all) found.push(one)
  return found
}

async function* silence() {
  for (let i = 0; ; i++) yield `127.9.${(i >> 8) & 255}.${i & 255}:9`
}

describe("threads", () => {
  it("give what one gives", async () => {
    await using servers = await farm(12)
    const targets = [...servers.targets, servers.targets[0]!, "127.71.0.1:9", "no address"]
    const run = async (threads: number) => {
      const results = await collect(scan(targets, "all", { threads, timeoutMs: 500 }))
      expect(results.filter(({ _tag }) => _tag === "Answered").length).toBe(12)
      const dead = results.find(({ target }) => target === "127.71.0.1:9")
      expect(dead?._tag === "Failed" && dead.error instanceof Timeout && dead.error.message).toContain("No answer")
      return comparable(results)
    }
    const alone = await run(1)
    expect(await run(2)).toEqual(alone)
    expect(await run(4)).toEqual(alone)
  })

  it("end with the signal, and with its reason", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const options = { signal: controller.signal, threads: 2, timeoutMs: 200 }
    const reading = (async () => {
      for await (const _ of scan(silence(), "info", options)) controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })

  it.runIf(process.platform === "linux")("are gone when the loop is left", async () => {
    const count = () => readdirSync("/proc/self/task").length
    const before = count()
    for await (const _ of scan(silence(), "info", { threads: 4, timeoutMs: 200 })) {
      expect(count()).toBeGreaterThanOrEqual(before + 4)
      break
    }
    expect(count()).toBeLessThan(before + 4)
  })
})

describe("a thread that breaks down ends the scan", () => {
  const failure = (code: string): Promise<unknown> => {
    const threads = NodeThreads.layer(() => new URL(code))
    const broken = scanWith(Layer.merge(NodeDatagrams.layer, threads))
    return collect(broken(silence(), "info", { threads: 2 })).catch((error: unknown) => error)
  }

  it.each([
    ["whose file is missing", "file:///nowhere/ScanThread.js", "nowhere"],
    ["that throws", "data:text/javascript,throw new Error('out of order')", "out of order"],
    ["that ends itself", "data:text/javascript,process.exit(3)", "exit code 3"],
    ["that cannot even be started", "https://example.com/", "could not be started"]
  ])("%s", async (_, code, reason) => {
    const error = await failure(code)
    expect(error).toBeInstanceOf(ThreadFailed)
    expect((error as ThreadFailed).message).toContain(reason)
  })

  it("says so when the file of a thread is run by itself", () => {
    expect(() => NodeThreads.serve(NodeDatagrams.layer)).toThrow("for a thread")
  })

  it("finds the file beside a module, with that module's ending", () => {
    expect(NodeThreads.beside("file:///a/dist/chunk-X.js").href).toBe("file:///a/dist/ScanThread.js")
    expect(NodeThreads.beside("file:///a/src/index.ts").href).toBe("file:///a/src/ScanThread.ts")
  })
})
