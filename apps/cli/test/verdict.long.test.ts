import { FAKE_KINDS, HONEST_KINDS, ServerList } from "@sourcewire/emulator/machines"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startListFarm } from "../../../tooling/bench/verdict/farmProcess.ts"
import { objects, run } from "./runCli.ts"
import { startListed, strongFindings } from "./verdicts.ts"

it.concurrent("after two queries, servers with fake play times have strong findings, and honest servers have none", async () => {
  const honest = { plain: 5, cached: 3, bots: 2, hiddenNames: 2, mapChange: 2, mirror: 3, relay: 6, moved: 1 }
  await using servers = await startListed(9, { ...honest, frozen: 3, rotating: 3 })
  const { stdout } = await run(["scan", "--json", "--verdict", ...servers.addresses])
  expect(strongFindings(stdout, servers.kindOf)).toEqual([
    ...Array.from({ length: 3 }, () => "frozen: frozen-play-times"),
    ...Array.from({ length: 3 }, () => "rotating: impossible-arrivals")
  ])
})

it.concurrent(
  "honest servers have no strong finding, even with packet loss and slow replies",
  { timeout: 180_000 },
  async () => {
    const honest = Object.fromEntries(HONEST_KINDS.map((kind) => [kind, kind === "mirror" ? 3 : 2]))
    await using servers = await startListed(10, { ...honest, frozen: 2 }, { loss: 0.1, delayMs: 50, jitterMs: 800 })
    const { stdout } = await run(["scan", "--json", "--verdict", "--retries", "8", ...servers.addresses])
    expect(objects(stdout).length).toBe(servers.addresses.length)
    expect(strongFindings(stdout, servers.kindOf)).toEqual(["frozen: frozen-play-times", "frozen: frozen-play-times"])
  }
)

describe.concurrent("a generated list of servers", { timeout: 240_000 }, () => {
  const SIZE = { honest: 800, fakesOfEachKind: 250, manyPorts: 2200, manyPortsHosts: 2 }
  const list = new ServerList({ ...SIZE, network: "127.80" })
  const kinds = new Map(Array.from(list.servers(), ({ address, kind }) => [address, kind]))

  it("has strong findings for most fake servers, and for no honest server", async () => {
    await using farm = await startListFarm(SIZE)
    const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
    try {
      const file = join(folder, "steam.json")
      await writeFile(file, await farm.steamReply())
      const args = ["master", farm.master, "--interval", "0", "--json", "--verdict", "--steam-list", file]
      const { exitCode, stderr, stdout } = await run(args)
      expect(stderr).toContain("5,000 servers replied, 0 failed")
      expect(exitCode).toBe(0)
      const strong = strongFindings(stdout, (address) => kinds.get(address as string)!)
      const isHonest = (finding: string): boolean => HONEST_KINDS.some((kind) => finding.startsWith(`${kind}:`))
      expect(strong.filter(isHonest)).toEqual([])
      const contradicted = Map.groupBy(
        objects(stdout).filter(({ verdict }) => (verdict as { readonly contradicted: boolean }).contradicted),
        ({ address }) => kinds.get(address as string)!
      )
      for (const kind of FAKE_KINDS) {
        const servers = kind === "manyPorts" ? SIZE.manyPorts : SIZE.fakesOfEachKind
        expect([kind, contradicted.get(kind)!.length >= 0.99 * servers]).toEqual([kind, true])
      }
      // A server receives at most two INFO queries, two PLAYER queries, and one handshake request. Each query consists of two requests, and
      // only the second request contains the challenge.
      const { most, mostHandshakes } = await farm.counters()
      expect({ most, mostHandshakes }).toEqual({ most: 9, mostHandshakes: 1 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
