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

const encodeList = (...addresses: ReadonlyArray<string>): string =>
  `ffffffff660a${addresses
    .map((address) => {
      const [host = "", port = ""] = address.split(":")
      return `${Buffer.from(host.split(".").map(Number)).toString("hex")}${Number(port).toString(16).padStart(4, "0")}`
    })
    .join("")}000000000000`

/**
 * Starts a server that behaves like a Xash3D master server. If a request contains the version of the client, the master returns the
 * addresses of two game servers. Otherwise, the master returns only its own address.
 */
const xash3dMaster = async () => {
  const master = await udpServer((request) => [
    Buffer.from(request, "hex").includes("\\clver\\0.21")
      ? encodeList("10.0.0.1:27015", "10.0.0.2:27015")
      : encodeList(master.address)
  ])
  return master
}

describe("a Xash3D master", () => {
  it("returns its list if the client runs the example command from the help", async () => {
    await using master = await xash3dMaster()
    const [example = ""] = (await run(["master", "--help"])).stdout.match(/sourcewire master .*--filter clver.*/) ?? []
    const args = example.trim().split(/\s+/).slice(1)
    expect(args).toContain("127.0.0.1:27010")
    const { exitCode, stderr, stdout } = await run([
      ...args.map((arg) => (arg === "127.0.0.1:27010" ? master.address : arg)),
      "--interval",
      "0"
    ])
    expect(stdout).toBe("10.0.0.1:27015\n10.0.0.2:27015\n")
    expect(stderr).not.toMatch(/own address/)
    expect(exitCode).toBe(0)
  })

  it.each([[[]], [["--game", "valve"]], [["--json", "--filter", "secure=1"]]])(
    "with the flags %j, causes an explanation if its list contains only its own address",
    async (more) => {
      await using master = await xash3dMaster()
      const { stderr } = await run(["master", "--server", master.address, "--interval", "0", ...more])
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/master's own address.*--filter clver=0\.21/)
    }
  )

  it("causes no explanation if the only address in its list belongs to another server", async () => {
    await using master = await udpServer(() => [encodeList("10.0.0.1:27015")])
    const { stderr } = await run(["master", "--server", master.address, "--interval", "0"])
    expect(stderr).not.toMatch(/own address/)
  })
})

describe("master", () => {
  it("prints one address per line, and reports whether the list is complete", async () => {
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

  it("prints a filtered list as JSON", async () => {
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

  it("stops after --max addresses", async () => {
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

  it("if the master stops responding, prints the received part of the list and fails", async () => {
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
    [[], /No master server given\. .*--server/],
    [["--server", "not an address"], /not an address/],
    [["--server", "127.0.0.1", "--filter", "secure"], /KEY=VALUE/],
    [["--server", "127.0.0.1", "--filter", "\\nor"], /no value/],
    [["--server", "127.0.0.1", "--region", "moon"], /moon/]
  ])("rejects %j", async (args, message) => {
    const { exitCode, stderr, stdout } = await run(["master", ...args])
    expect(stderr).toMatch(message)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  })
})
