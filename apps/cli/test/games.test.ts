import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run } from "./runCli.ts"
import { text, udpServer } from "./udpServer.ts"

const u64 = (value: bigint): string => Buffer.from(BigUint64Array.of(value).buffer).toString("hex")

/** An INFO of Rust's, whose counts are bytes, with these keywords. */
const rustInfo = (keywords: string): string =>
  `ffffffff4911${text("name")}${text("Procedural Map")}${text("rust")}${text("Rust")}0000` +
  `2c9000646c0001${text("2500")}21${text(keywords)}${u64(252_490n)}`

const replies: Readonly<Record<string, string>> = {
  "54": rustInfo("mp400,cp300,qp12,born1600000000,gmrust"),
  "55": "ffffffff4400",
  "56": "ffffffff450000"
}

describe("games", () => {
  it("are read in their own way: counts, queue and wipe", async () => {
    await using server = await udpServer((request) => [replies[request.slice(8, 10)] ?? []].flat())
    const [json, people] = await Promise.all([
      run(["query", "--json", `rust:${server.address}`]),
      run(["query", "--game", "rust", server.address])
    ])
    expect(objects(json.stdout)).toMatchObject([
      { ok: true, info: { players: 44 }, summary: { gameId: "rust", players: 300, maxPlayers: 400, queue: 12 } }
    ])
    expect(people.stdout).toMatch(/As Rust has it\n +players +300\n|As Rust has it\n(.*\n)* +players +300/)
    expect(people.stdout).toMatch(/queue +12/)
    expect(people.stdout).toMatch(/born +2020-09-13T12:26:40.000Z/)
    expect([json.exitCode, people.exitCode]).toEqual([0, 0])
  })

  it("show their mods, and say that names are hidden", async () => {
    await using server = await startServer({ transport: layer, profile: "dayz" })
    const { exitCode, stderr, stdout } = await run(["query", `127.0.0.1:${server.port}`])
    expect(stdout).toMatch(/mods +80: CBA_A3 · ace · /)
    expect(stdout).toMatch(/queue +\d+/)
    expect(stdout).toMatch(/! The server hides the names of its players\./)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })

  it("are asked at their query port, then at the one that is given", async () => {
    await using server = await startServer({ transport: layer, profile: "css" })
    const { exitCode, stdout } = await run(["info", "--json", "--game", "valheim", `127.0.0.1:${server.port}`])
    expect(objects(stdout)).toMatchObject([{ address: `127.0.0.1:${server.port}`, ok: true }])
    expect(exitCode).toBe(0)
    const silent = await run(["info", "--json", "--timeout", "200", "--game", "valheim", "127.0.0.1"])
    expect(objects(silent.stdout)).toMatchObject([{ address: "127.0.0.1:2457", ok: false }])
  })

  it("say in a sentence who cannot be asked, without asking", async () => {
    const { exitCode, stderr, stdout } = await run(["info", "--json", "169.254.1.2", "asa:127.0.0.1"])
    expect(objects(stdout)).toMatchObject([
      { address: "169.254.1.2:27015", ok: false, error: { _tag: "Unaskable", reason: "relayed" } },
      { address: "127.0.0.1:7777", ok: false, error: { _tag: "Unaskable", reason: "noA2S" } }
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
    const ping = await run(["ping", "--json", "169.254.1.2"])
    expect(objects(ping.stdout)).toMatchObject([{ ok: false, sent: 0, error: { _tag: "Unaskable" } }])
    expect(ping.exitCode).toBe(1)
    const people = await run(["query", "--game", "palworld", "127.0.0.1"])
    expect(people.stderr).toMatch(/Palworld does not answer A2S/)
  })

  it("that nobody knows are a usage error", async () => {
    const runs = await Promise.all([
      run(["info", "--game", "nosuchgame", "127.0.0.1"]),
      run(["info", "nosuchgame:127.0.0.1"]),
      run(["info", "rust:no such host"])
    ])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(runs[0]!.stderr).toMatch(/nosuchgame is no game that is known/)
  })

  it("are listed", async () => {
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
