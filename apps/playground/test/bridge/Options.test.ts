import { describe, expect, it } from "vitest"
import { startPlayground } from "../../bridge/index.ts"
import { startBridge } from "./bridge.ts"

const start = startPlayground as (options: unknown) => Promise<unknown>

describe("startPlayground, called from JavaScript", () => {
  it.each<[unknown, RegExp]>([
    [null, /^The options of a playground: /],
    ["127.0.0.1", /^The options of a playground: /],
    [{ host: "localhost" }, /^host: Expected a numeric address/],
    [{ host: 1 }, /^host: /],
    [{ port: "80" }, /^port: /],
    [{ port: 1.5 }, /^port: /],
    [{ port: 65_536 }, /^port: /],
    [{ rcon: "no" }, /^rcon: /],
    [{ allow: "127.0.0.1" }, /^allow: /],
    [{ allow: [1] }, /^allow.0: /],
    [{ allow: ["127.0.0.1", "10.0.0.0/99"] }, /^allow.1: Expected a range, a host or host:port/],
    [{ names: [null] }, /^names.0: /],
    [{ page: 1 }, /^page: /],
    [{ page: "/nowhere" }, /^There is no page in \/nowhere/],
    [{ limits: 1 }, /^limits: /],
    [{ limits: { burst: -1 } }, /^limits.burst: /],
    [{ limits: { watchMs: Number.NaN } }, /^limits.watchMs: /],
    [{ limits: { streams: undefined } }, /^limits.streams: /],
    [{ hosts: [] }, /^hosts: /]
  ])("rejects %j, and the error names the invalid option", async (options, message) => {
    await expect(start(options)).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringMatching(message)
    })
  })

  it("uses the default of an option whose value is `undefined`", async () => {
    await using bridge = await startBridge({ host: undefined, allow: undefined, limits: {} } as object)
    expect(bridge.host).toBe("127.0.0.1")
  })
})
