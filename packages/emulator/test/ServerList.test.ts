import { describe, expect, it } from "vitest"
import { ServerList, type ServerListOptions } from "../src/ServerList.ts"

describe("a server list", () => {
  it.each<[string, ServerListOptions]>([
    ["the default size", {}],
    ["many honest servers", { honest: 60_000, fakesOfEachKind: 2000 }],
    [
      "honest servers that share addresses",
      { honest: 200_000, fakesOfEachKind: 10, manyPorts: 50_000, manyPortsHosts: 255 }
    ]
  ])("has a different address for each server: %s", (_, options) => {
    const list = new ServerList(options)
    const addresses = new Set(Array.from(list.servers(), ({ address }) => address))
    expect(addresses.size).toBe(list.size)
  })

  it("uses the ports from 20000 to 65535 of each host for `manyPorts`, and rejects a number of servers that exceeds the number of these ports", () => {
    const options = { honest: 0, fakesOfEachKind: 0, manyPortsHosts: 2 }
    const ports = Array.from(new ServerList({ ...options, manyPorts: 91_072 }).servers(), ({ port }) => port)
    expect([Math.min(...ports.slice(0, 9)), ports.at(-1)]).toEqual([20_000, 65_535])
    expect(() => new ServerList({ ...options, manyPorts: 91_073 })).toThrow(/manyPorts must be at most 91072/)
  })
})
