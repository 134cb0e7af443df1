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
})
