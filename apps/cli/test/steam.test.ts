/**
 * Tests queries of servers behind Steam's relays, and the command `servers-at`. The Web API is emulated. No test was run with Steam's own
 * API.
 */
import { describe, expect, it } from "vitest"
import { file } from "./rconServers.ts"
import { objects, run } from "./runCli.ts"
import { KEY, startSteamApi } from "./steamApi.ts"

const FAKE = "169.254.173.35:13768"

describe("a scan with servers behind Steam's relays", () => {
  const other = "169.254.173.36:13768"

  it("queries other servers over UDP first, then the servers behind the relays through Steam's Web API, and prints all results in the same format", async () => {
    await using api = await startSteamApi()
    await using list = await file(`${FAKE}\n127.0.0.1:1\n${other}\n${FAKE}\n`)
    const { exitCode, stderr, stdout } = await run(
      ["scan", "--json", "--query", "all", "--timeout", "2000", "--game", "tf2", "--file", list.path],
      { env: api.env }
    )
    const [udp, ...steam] = objects(stdout)
    expect(udp).toMatchObject({ address: "127.0.0.1:1", ok: false })
    expect(steam.toSorted((a, b) => Number(b["ok"]) - Number(a["ok"]))).toMatchObject([
      { address: FAKE, ok: true, source: "steam", info: { map: "cp_badlands" }, rules: { announced: 2 } },
      { address: other, ok: false, error: { _tag: "SteamFailed" } }
    ])
    expect(steam).toHaveLength(2)
    for (const line of steam) expect(line).not.toHaveProperty("rttMs")
    expect(stderr).toContain("By Steam's Web API: 1 responded, 1 failed")
    expect(exitCode).toBe(1)
    expect(api.seen).toHaveLength(4)
    for (const text of [stdout, stderr, ...api.seen]) expect(text).not.toContain(KEY)
  })

  it("prints a table or CSV, applies --where, and accepts addresses as arguments", async () => {
    await using api = await startSteamApi()
    const [table, csv, none] = await Promise.all([
      run(["scan", FAKE, "--game", "tf2"], { env: api.env }),
      run(["scan", FAKE, "--game", "tf2", "--format", "csv"], { env: api.env }),
      run(["scan", FAKE, "--game", "tf2", "--json", "--where", "players > 20"], { env: api.env })
    ])
    expect(table.stdout).toMatch(/169\.254\.173\.35:13768  +3\/24 +cp_badlands .*Behind ␛/)
    expect(csv.stdout).toContain(`${FAKE},true,,`)
    expect(none).toMatchObject({ exitCode: 0, stdout: "" })
  })

  it("sends no new requests after Steam has refused the key", async () => {
    await using api = await startSteamApi()
    const addresses = Array.from({ length: 40 }, (_, i) => `169.254.9.${i}:20000`)
    api.refusals.push(...Array.from({ length: 40 }, () => [403] as const))
    const { exitCode, stderr, stdout } = await run(["scan", "--json", "--game", "tf2", ...addresses], { env: api.env })
    expect(objects(stdout)).toHaveLength(40)
    expect(objects(stdout)[39]).toMatchObject({ ok: false, error: { _tag: "SteamFailed", status: 403 } })
    expect(api.seen.length).toBeLessThanOrEqual(4)
    expect(exitCode).toBe(1)
    for (const text of [stdout, stderr]) expect(text).not.toContain(KEY)
  })

  it("requires a key and a game", async () => {
    await using api = await startSteamApi()
    const runs = await Promise.all([
      run(["scan", FAKE], { env: api.env }),
      run(["scan", FAKE, "--game", "tf2"], { env: { ...api.env, STEAM_API_KEY: "" } }),
      run(["scan", FAKE, "--game", "nonsense"], { env: api.env }),
      run(["scan", FAKE, "--game", "tf2", "--verdict"], { env: api.env })
    ])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
    expect(runs[1]!.stderr).toContain("--steam-key-file FILE, or set STEAM_API_KEY")
    expect(runs[2]!.stderr).toContain("`sourcewire games` lists the games")
    expect(api.seen).toEqual([])
  })
})

describe("a server behind Steam's relays", () => {
  it("is queried through Steam's Web API with a key", async () => {
    await using api = await startSteamApi()
    const { STEAM_API_KEY: key, ...env } = api.env
    await using secret = await file(`${key}\n`)
    const [query, human] = await Promise.all([
      run(["query", "--json", `tf2:${FAKE}`, "--steam-key-file", secret.path], { env }),
      run(["query", FAKE, "--game", "tf2"], { env: api.env })
    ])
    expect(objects(query.stdout)).toEqual([
      {
        address: FAKE,
        ok: true,
        source: "steam",
        info: {
          name: "Behind \u001b[31mrelays",
          map: "cp_badlands",
          folder: "tf",
          game: "Team Fortress",
          appId: 440,
          players: 3,
          maxPlayers: 24,
          bots: 1,
          vac: true,
          version: "9543365",
          keywords: "cp",
          steamId: "90264374594008077"
        },
        players: {
          _tag: "PlayersReply",
          announced: 2,
          players: [
            { index: 0, name: "Zoë", score: 7, duration: 61 },
            { index: 0, name: "two", score: 0, duration: 0 }
          ],
          truncated: false
        },
        rules: {
          _tag: "RulesReply",
          announced: 2,
          rules: [
            { name: "mp_timelimit", value: "30" },
            { name: "empty", value: "" }
          ],
          truncated: false
        }
      }
    ])
    expect(query).toMatchObject({ exitCode: 0, stderr: "" })
    expect(human.exitCode).toBe(0)
    expect(human.stdout).toMatch(/^Behind ␛\[31mrelays +169\.254\.173\.35:13768 · from Steam\n/)
    expect(human.stdout).toMatch(/Map +cp_badlands[^]*Players +3\/24 \(1 bot\)[^]*Zoë[^]*mp_timelimit/)
  })

  it.each([
    ["info", ["info"]],
    ["players", ["players"]],
    ["rules", ["rules"]]
  ])("causes a single request to the Web API if the command is %s", async (name, parts) => {
    await using api = await startSteamApi()
    const { exitCode, stdout } = await run([name, "--json", FAKE, "--game", "tf2"], { env: api.env })
    const [line] = objects(stdout)
    expect(Object.keys(line!)).toEqual(["address", "ok", "source", ...parts])
    expect(exitCode).toBe(0)
    expect(api.seen).toHaveLength(1)
  })

  it("requires a key and a game", async () => {
    await using api = await startSteamApi()
    const [noKey, noGame, badKey] = await Promise.all([
      run(["info", "--json", FAKE, "--game", "tf2"], { env: { ...api.env, STEAM_API_KEY: "" } }),
      run(["info", FAKE], { env: api.env }),
      run(["info", FAKE, "--game", "tf2"], { env: { ...api.env, STEAM_API_KEY: "no key!" } })
    ])
    expect(noKey.exitCode).toBe(1)
    expect(objects(noKey.stdout)).toMatchObject([{ ok: false, error: { _tag: "NotQueryable", reason: "relayed" } }])
    expect([noGame.exitCode, badKey.exitCode]).toEqual([2, 2])
    expect(noGame.stderr).toMatch(/--game/)
    expect(badKey.stderr).toMatch(/STEAM_API_KEY does not contain a key/)
    expect(api.seen).toEqual([])
    expect(badKey.stderr).not.toContain("no key!")
  })

  it("is queried even if the Web API limits requests or is down for a short time, because the request is retried", async () => {
    await using api = await startSteamApi()
    api.refusals.push([429, 1], [503])
    const { exitCode } = await run(["info", "--json", FAKE, "--game", "tf2"], { env: api.env })
    expect(exitCode).toBe(0)
    api.refusals.push([0])
    expect((await run(["info", "--json", FAKE, "--game", "tf2"], { env: api.env })).exitCode).toBe(0)
    expect(api.seen).toHaveLength(5)
  })

  it.each([
    ["a long rate limit", [[429, 600]], { status: 429 }, /limits requests/, 1],
    ["an outage", [[500], [502], [503]], { status: 503 }, /status 503/, 3],
    ["a refused key", [[403]], { status: 403 }, /refused the key/, 1],
    ["a redirection", [[302]], { status: 302 }, /status 302/, 1],
    ["a failed connection", [[0], [0], [0]], {}, /cannot be reached/, 3]
  ] as const)("after %s, causes an error that does not contain the key", async (_, refusals, error, message, tries) => {
    await using api = await startSteamApi()
    api.refusals.push(...refusals)
    const { exitCode, stderr, stdout } = await run(["info", "--json", FAKE, "--game", "tf2"], { env: api.env })
    expect(exitCode).toBe(1)
    expect(objects(stdout)).toMatchObject([
      { address: FAKE, ok: false, error: { _tag: "SteamFailed", message: expect.stringMatching(message), ...error } }
    ])
    expect(api.seen).toHaveLength(tries)
    expect(stdout + stderr + api.seen.join()).not.toContain(KEY)
  })

  it("if Steam returns no server for the address, the error explains that the address changes when the server restarts", async () => {
    await using api = await startSteamApi()
    const { exitCode, stdout } = await run(["info", "--json", "169.254.1.1:1", "--game", "tf2"], { env: api.env })
    expect(objects(stdout)).toMatchObject([
      { ok: false, error: { message: expect.stringMatching(/changes when the server restarts/) } }
    ])
    expect(exitCode).toBe(1)
  })
})

describe("servers-at", () => {
  it("reports that Steam refuses or limits requests, and does not mention a key", async () => {
    await using api = await startSteamApi()
    for (const [status, message] of [
      [403, "Steam refused the request (status 403)."],
      [429, "Steam limits requests (status 429): wait a few minutes."]
    ] as const) {
      api.refusals.push([status, 600])
      const { stdout } = await run(["servers-at", "--json", "192.0.2.7"], { env: api.env })
      expect(objects(stdout)).toMatchObject([{ ok: false, error: { status, message } }])
    }
  })

  it("without a key, lists the servers that are registered with Steam for an address", async () => {
    await using api = await startSteamApi()
    const { STEAM_API_KEY: _, ...env } = api.env
    const [json, human, none] = await Promise.all([
      run(["servers-at", "--json", "192.0.2.7"], { env }),
      run(["servers-at", "192.0.2.7"], { env }),
      run(["servers-at", "192.0.2.8:27015"], { env })
    ])
    expect(objects(json.stdout)).toEqual([
      {
        address: "192.0.2.7:27015",
        ok: true,
        appId: 440,
        folder: "tf",
        steamId: "90264374594008077",
        gamePort: 27_015,
        secure: true,
        lan: false
      },
      { address: "192.0.2.7:27016", ok: true, appId: 730, folder: "csgo", gamePort: 27_016 }
    ])
    expect(human.stdout).toMatch(/Address[^]*192\.0\.2\.7:27016 +730 +csgo/)
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "No server at 192.0.2.8:27015 is registered with Steam.\n"
    })
    expect([json.exitCode, human.exitCode]).toEqual([0, 0])
  })

  it("reports an outage, and continues with the next address", async () => {
    await using api = await startSteamApi()
    api.refusals.push([500], [500], [500])
    const { exitCode, stdout } = await run(["servers-at", "--json", "192.0.2.8", "192.0.2.7"], { env: api.env })
    expect(objects(stdout)).toMatchObject([
      { address: "192.0.2.8", ok: false, error: { status: 500 } },
      { ok: true },
      { ok: true }
    ])
    expect(exitCode).toBe(1)
  })

  it("rejects an invalid address", async () => {
    const [name, none] = await Promise.all([run(["servers-at", "game.example"]), run(["servers-at"])])
    expect([name.exitCode, none.exitCode]).toEqual([2, 2])
    expect(name.stderr).toMatch(/not a numeric IPv4 address/)
  })
})
