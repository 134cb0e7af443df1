import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run } from "./runCli.ts"
import { text, udpServer } from "./udpServer.ts"

const u64 = (value: bigint): string => Buffer.from(BigUint64Array.of(value).buffer).toString("hex")

/**
 * Returns an INFO reply of a Rust server with these keywords. The keywords contain the real numbers of players and of slots. The one-byte
 * fields for these numbers contain wrong numbers, because a byte cannot contain the real numbers.
 */
const rustInfo = (keywords: string): string =>
  `ffffffff4911${text("name")}${text("Procedural Map")}${text("rust")}${text("Rust")}0000` +
  `2c9000646c0001${text("2500")}21${text(keywords)}${u64(252_490n)}`

const replies: Readonly<Record<string, string>> = {
  "54": rustInfo("mp400,cp300,qp12,born1600000000,gmrust"),
  "55": "ffffffff4400",
  "56": "ffffffff450000"
}

describe("known games", () => {
  it("the counts, the queue and the last wipe of a Rust server are read from its keywords", async () => {
    await using server = await udpServer((request) => [replies[request.slice(8, 10)] ?? []].flat())
    const [json, people, info] = await Promise.all([
      run(["query", "--json", `rust:${server.address}`]),
      run(["query", "--game", "rust", server.address]),
      run(["info", server.address])
    ])
    expect(info.stdout).toMatch(/Players +█+░+ 300\/400 \(12 waiting to join\)/)
    expect(objects(json.stdout)).toMatchObject([
      { ok: true, info: { players: 44 }, summary: { gameId: "rust", players: 300, maxPlayers: 400, queue: 12 } }
    ])
    // The headline shows the counts of the summary, not the one-byte counts of INFO.
    expect(people.stdout).toMatch(/Players +█+░+ 300\/400 \(12 waiting to join\)/)
    expect(people.stdout).not.toMatch(/Players .*\b44\b/)
    expect(people.stdout).toMatch(/Mode +rust/)
    // The settings are formatted for people, and omit the values that the headline already shows.
    expect(people.stdout).toMatch(/Settings of Rust\n +Last wipe +2020-09-13 12:26 UTC\n/)
    expect(people.stdout).not.toMatch(/born +|players +300|T12:26/)
    expect([json.exitCode, people.exitCode]).toEqual([0, 0])
  })

  it("the output for a DayZ server contains the mods, and a note that the names of players are hidden", async () => {
    await using server = await startServer({ transport: layer, profile: "dayz" })
    const { exitCode, stderr, stdout } = await run(["query", `127.0.0.1:${server.port}`])
    expect(stdout).toMatch(/Mods +80: CBA_A3, ace, /)
    expect(stdout).toMatch(/waiting to join/)
    expect(stdout).toMatch(/! The server hides the names of its players\./)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })

  it("without --all-rules, the list of rules omits the rules that are already shown above the list", async () => {
    await using server = await startServer({ transport: layer, profile: "dayz" })
    const [some, all, json] = await Promise.all([
      run(["query", `127.0.0.1:${server.port}`]),
      run(["query", "--all-rules", `127.0.0.1:${server.port}`]),
      run(["query", "--json", `127.0.0.1:${server.port}`])
    ])
    const [answer] = objects(json.stdout) as ReadonlyArray<{ rules: { rules: ReadonlyArray<object> } }>
    const count = answer!.rules.rules.length
    expect(some.stdout).toMatch(new RegExp(`${count} rules, \\d+ of them shown above \\(--all-rules lists all\\)`))
    expect(all.stdout).toMatch(new RegExp(`\n  ${count} rules\n`))
    // The rule `island` is shown as a setting, and the rules that contain encoded bytes are shown as mods.
    expect(some.stdout).toMatch(/Island +/)
    expect(some.stdout).not.toMatch(/\n +island +/)
    expect(all.stdout).toMatch(/\n +island +/)
    expect(some.stdout.length).toBeLessThan(all.stdout.length)
  })

  it("with --game, info queries the port of the target; if the target has no port, info queries the query port of the game", async () => {
    await using server = await startServer({ transport: layer, profile: "css" })
    const { exitCode, stdout } = await run(["info", "--json", "--game", "valheim", `127.0.0.1:${server.port}`])
    expect(objects(stdout)).toMatchObject([{ address: `127.0.0.1:${server.port}`, ok: true }])
    expect(exitCode).toBe(0)
    const silent = await run(["info", "--json", "--timeout", "200", "--game", "valheim", "127.0.0.1"])
    expect(objects(silent.stdout)).toMatchObject([{ address: "127.0.0.1:2457", ok: false }])
  })

  it("addresses of Steam's relays, and games that do not support A2S, cause an error that contains the reason", async () => {
    const { exitCode, stderr, stdout } = await run(["info", "--json", "--ordered", "169.254.1.2", "asa:127.0.0.1"])
    expect(objects(stdout)).toMatchObject([
      { address: "169.254.1.2:27015", ok: false, error: { _tag: "NotQueryable", reason: "relayed" } },
      { address: "127.0.0.1:7777", ok: false, error: { _tag: "NotQueryable", reason: "noA2S" } }
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
    const ping = await run(["ping", "--json", "169.254.1.2"])
    expect(objects(ping.stdout)).toMatchObject([{ ok: false, sent: 0, error: { _tag: "NotQueryable" } }])
    expect(ping.exitCode).toBe(1)
    const people = await run(["query", "--game", "palworld", "127.0.0.1"])
    expect(people.stderr).toMatch(/Palworld does not support A2S/)
  })

  it("an unknown game is a usage error", async () => {
    const queries = ["info", "players", "rules", "query"].map((command) =>
      run([command, "--game", "nosuchgame", "127.0.0.1:9"])
    )
    for (const { exitCode, stderr, stdout } of await Promise.all(queries)) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toMatch(/nosuchgame/)
    }
    const runs = await Promise.all([
      run(["info", "--game", "nosuchgame", "127.0.0.1"]),
      run(["info", "nosuchgame:127.0.0.1"]),
      run(["info", "rust:no such host"])
    ])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(runs[0]!.stderr).toMatch(/There is no game "nosuchgame"/)
  })

  it("the command games lists the games that match its arguments", async () => {
    const [some, json, none] = await Promise.all([
      run(["games", "arma"]),
      run(["games", "--json", "Counter-Strike"]),
      run(["games", "no such game"])
    ])
    expect(some.stdout).toMatch(/arma3 +Arma 3 +2302 +2303 +107410/)
    expect(objects(json.stdout).map(({ id }) => id)).toContain("counterstrike2")
    expect(none).toMatchObject({ exitCode: 1, stdout: "" })
  })
})
