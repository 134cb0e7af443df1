import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startMaster } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"
import { startListed, strongFindings } from "./verdicts.ts"

describe.concurrent("--verdict", { timeout: 120_000 }, () => {
  it("with scan, prints each server with its findings", async () => {
    await using servers = await startListed(1, { plain: 3, sharedSteamId: 6, redirecting: 1 })
    const { exitCode, stderr, stdout } = await run(["scan", "--json", "--verdict=1", ...servers.addresses])
    expect(exitCode).toBe(0)
    expect(
      objects(stdout)
        .map(({ address }) => address)
        .toSorted()
    ).toEqual(servers.addresses.toSorted())
    expect(objects(stdout)[0]).toMatchObject({ ok: true, info: { folder: "cstrike" }, verdict: { observations: 2 } })
    expect(strongFindings(stdout, servers.kindOf)).toEqual([
      "redirecting: redirect",
      ...Array.from({ length: 6 }, () => "sharedSteamId: shared-steam-id")
    ])
    // On a slow machine, servers may have weak findings about round-trip times.
    expect(stderr).toMatch(/10 servers replied, 0 failed: 7 with a strong finding, [0-3] with other findings/)
  })

  it("with scan, sends two INFO queries, two PLAYER queries and one handshake request to each server with players", async () => {
    await using servers = await startListed(2, { mirrored: 3, empty: 1 })
    // Each query consists of two requests, and only the second request contains the challenge. The scans send no retransmissions. Therefore
    // the numbers of requests are the same in every run.
    const once = ["--timeout", "60000", "--retries", "0", ...servers.addresses]
    await run(["scan", ...once])
    const info = servers.requests()
    await run(["scan", "--query", "players", ...once.slice(0, 4), ...servers.addresses.slice(0, 3)])
    const scanned = servers.requests()
    await run(["scan", "--verdict=1", ...once])
    expect([info, scanned - info, servers.requests() - scanned]).toEqual([8, 6, 2 * (8 + 6) + 3])
  })

  it("with scan, filters results, prints CSV, and reports targets that do not respond", async () => {
    await using servers = await startListed(3, { plain: 1, redirecting: 1 })
    const args = ["scan", "--verdict=1", "--timeout", "500", ...servers.addresses]
    const [filtered, csv, table] = await Promise.all([
      run([...args, "--json", "--where", "verdict.contradicted"]),
      run([...args, "127.0.0.1:1", "--format", "csv"]),
      run([...args, "127.0.0.1:1"])
    ])
    expect(objects(filtered.stdout).map(({ address }) => servers.kindOf(address))).toEqual(["redirecting"])
    const [head, ...rows] = csv.stdout.trim().split("\n")
    expect(head).toMatch(/,contradicted,findings$/)
    expect(rows.filter((row) => /,true,redirect/.test(row)).length).toBe(1)
    expect(rows.filter((row) => /,false,(?:rtt-difference)?$/.test(row)).length).toBe(1)
    expect(rows.filter((row) => /^127\.0\.0\.1:1,false,.*,Timeout,,,$/.test(row)).length).toBe(1)
    expect(csv.exitCode).toBe(1)
    expect(table.stdout).toContain("strong: redirect")
    expect(table.stdout).toContain("Honest explanations: a server that has moved")
  })

  it("with scan, compares the replies with Steam's player counts", async () => {
    await using servers = await startListed(4, { botsAsPlayers: 1 })
    const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
    try {
      const file = join(folder, "steam.json")
      const entry = { addr: servers.addresses[0], players: 0, bots: 16, secure: true }
      await writeFile(file, JSON.stringify({ response: { servers: [entry] } }))
      const { stdout } = await run(["scan", "--json", "--verdict=1", "--steam-list", file, ...servers.addresses])
      expect(strongFindings(stdout, servers.kindOf)).toEqual(["botsAsPlayers: uncounted-bots"])
      await writeFile(file, "[]")
      const wrong = await run(["scan", "--verdict=1", "--steam-list", file, ...servers.addresses])
      expect(wrong.stderr).toContain("has no list response.servers")
      expect(wrong.exitCode).toBe(2)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it("with query, prints the findings of the server", async () => {
    await using servers = await startListed(5, { redirecting: 1 })
    const [text, json] = await Promise.all([
      run(["query", "--verdict=1", ...servers.addresses]),
      run(["query", "--verdict=1", "--json", ...servers.addresses])
    ])
    expect(text.stdout).toContain("strong: redirect")
    expect(objects(json.stdout)[0]).toMatchObject({ ok: true, verdict: { contradicted: true, observations: 2 } })
    expect(strongFindings(json.stdout, servers.kindOf)).toEqual(["redirecting: redirect"])
  })

  it("with master, prints the findings of the listed servers", async () => {
    await using servers = await startListed(6, { redirecting: 1, plain: 1 })
    await using master = await startMaster({
      transport: layer,
      servers: servers.addresses.map((address) => ({ address }))
    })
    const { stdout } = await run(["master", `127.0.0.1:${master.port}`, "--json", "--verdict=1"])
    expect(strongFindings(stdout, servers.kindOf)).toEqual(["redirecting: redirect"])
  })

  it("after Ctrl-C, prints the findings so far", async () => {
    await using servers = await startListed(7, { redirecting: 1 })
    const running = start(["scan", "--json", "--verdict=3600", ...servers.addresses])
    while (servers.requests() < 5) await new Promise((resolve) => setTimeout(resolve, 50))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    running.child.kill("SIGINT")
    const { exitCode, stderr, stdout } = await running.ended
    expect(strongFindings(stdout, servers.kindOf)).toEqual(["redirecting: redirect"])
    expect(stderr).toContain("Interrupted. The verdicts are based on the replies so far.")
    expect(exitCode).toBe(130)
  })

  it("cannot be combined with --watch, --query all or --rcon, and is required by --steam-list", async () => {
    const runs = [
      ["scan", "--verdict", "--watch", "127.0.0.1:1"],
      ["scan", "--verdict", "--query", "all", "127.0.0.1:1"],
      ["scan", "--steam-list", "x.json", "127.0.0.1:1"],
      ["query", "--verdict", "--rcon", "127.0.0.1:1"]
    ]
    for (const { exitCode, stderr } of await Promise.all(runs.map((args) => run(args)))) {
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/--verdict/)
    }
  })
})
