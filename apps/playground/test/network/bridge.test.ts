import { afterEach, describe, expect, it, vi } from "vitest"
import { bridge } from "../../src/network/bridge.ts"
import { NetworkError } from "../../src/network/Network.ts"

afterEach(() => vi.unstubAllGlobals())

const events = async (...sent: ReadonlyArray<unknown>): Promise<ReadonlyArray<unknown>> => {
  const body = sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)))
  const came: Array<unknown> = []
  try {
    for await (const event of bridge.stream<unknown>("/watch", {}, new AbortController().signal)) came.push(event)
  } catch (error) {
    came.push(error)
  }
  return came
}

describe("a stream of the bridge", () => {
  it("yields events with any content", async () => {
    expect(await events({ timeMs: 1 }, [1, 2], null)).toEqual([{ timeMs: 1 }, [1, 2], null])
  })

  it("throws an error if the bridge ends the stream with an error", async () => {
    expect(await events({ timeMs: 1 }, { _tag: "Ended", message: "An hour." })).toEqual([
      { timeMs: 1 },
      new NetworkError("An hour.")
    ])
  })
})
