import { startMaster } from "@sourcewire/server"
import { type ListedServer } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

const servers = Array.from({ length: 300 }, (_, i): ListedServer => ({
  address: `10.0.${i >> 8}.${i & 255}:27015`,
  gamedir: i % 3 === 0 ? "cstrike" : "tf",
  map: i % 2 === 0 ? "crossfire" : "ctf_2fort",
  secure: i % 5 === 0
}))

const start = () => startMaster({ transport: layer, servers })

describe("master", () => {
  it("prints one address per line, and how the list ended", async () => {
    await using master = await start()
    const { exitCode, stderr, stdout } = await run([
      "master",
      "--server",
      `127.0.0.1:${master.port}`,
      "--interval",
      "0"
    ])
    expect(stdout.trimEnd().split("\n")).toEqual(servers.map(({ address }) => address))
    expect(stderr).toMatch(/^300 servers in 3 pages; the list is complete\n$/)
    expect(exitCode).toBe(0)
  })

  it("prints JSON, filtered", async () => {
    await using master = await start()
    const address = `127.0.0.1:${master.port}`
    const filters = ["--filter", "secure=1", "--filter", "\\nor\\1\\gameaddr\\10.0.0.0"]
    const { stdout } = await run([
      "master",
      "--json",
      "--interval",
      "0",
      "--server",
      address,
      "--game",
      "cstrike",
      "--map",
      "crossfire",
      ...filters
    ])
    expect(objects(stdout)).toEqual(
      servers
        .filter((_, i) => i % 30 === 0 && i > 0)
        .map((server) => ({ address: server.address, ok: true, master: address }))
    )
  })

  it("stops at --max", async () => {
    await using master = await start()
    const { stderr, stdout } = await run([
      "master",
      "--server",
      `127.0.0.1:${master.port}`,
      "--max",
      "7",
      "--interval",
      "0"
    ])
    expect(stdout.trimEnd().split("\n").length).toBe(7)
    expect(stderr).toMatch(/7 servers in 2 pages; stopped at --max/)
  })

  it("fails when the master does not answer, after printing what came", async () => {
    let requests = 0
    await using master = await udpServer(() => (requests++ === 0 ? ["ffffffff660a0a0000016987"] : []))
    const { exitCode, stderr, stdout } = await run([
      "master",
      "--json",
      "--server",
      master.address,
      "--interval",
      "0",
      "--timeout",
      "300"
    ])
    expect(objects(stdout)).toMatchObject([
      { address: "10.0.0.1:27015", ok: true },
      { address: master.address, ok: false, error: { _tag: "Timeout" } }
    ])
    expect(stderr).toMatch(/1 server in 1 page; there may be more/)
    expect(exitCode).toBe(1)
  })

  it.each([
    [[], /no default master server/],
    [["--server", "not an address"], /not an address/],
    [["--server", "127.0.0.1", "--filter", "secure"], /key=value/],
    [["--server", "127.0.0.1", "--filter", "\\nor"], /no value/],
    [["--server", "127.0.0.1", "--region", "moon"], /moon/]
  ])("refuses %j", async (args, message) => {
    const { exitCode, stderr, stdout } = await run(["master", ...args])
    expect(stderr).toMatch(message)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  })
})
