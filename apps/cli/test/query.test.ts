import { profiles, startServer } from "@sourcewire/emulator"
import type { Profile } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"
import { text, udpServer } from "./udpServer.ts"

const css = () => startServer({ transport: layer, profile: "css" })
const formatLoopback = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`

describe("info, players, rules and query", () => {
  it("print one JSON line per address, with a separate field for each reply", async () => {
    await using server = await css()
    const address = formatLoopback(server)
    const runs = await Promise.all(["info", "players", "rules", "query"].map((name) => run([name, "--json", address])))
    const lines = runs.map(({ stdout }) => objects(stdout))
    expect(lines).toMatchObject([
      [
        {
          address,
          ok: true,
          rttMs: expect.any(Number),
          info: { _tag: "InfoReply", steamId: expect.stringMatching(/^\d+$/) }
        }
      ],
      [{ address, ok: true, players: { _tag: "PlayersReply", truncated: false } }],
      [{ address, ok: true, rules: { _tag: "RulesReply", truncated: false } }],
      [{ address, ok: true, info: {}, players: {}, rules: {} }]
    ])
    expect(Object.keys(lines[3]![0]!)).toEqual(["address", "ok", "rttMs", "info", "players", "rules", "summary"])
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: "" }))
    )
  })

  it("print the replies of a server as text", async () => {
    // The port in the reply comes from the profile, and is the same in every run. The port of the socket changes in every run, therefore
    // the test replaces this port with `PORT`.
    await using server = await startServer({ transport: layer, profile: profiles.css() })
    const { exitCode, stderr, stdout } = await run(["query", formatLoopback(server)])
    const stable = stdout
      .replaceAll(String(server.port), "PORT")
      .replace(/ +(127\.0\.0\.1:PORT) · \d+(\.\d+)? ms/, "  $1 · RTT")
    expect(stable).toMatchSnapshot()
    expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })

  it("with --grep, print only the rules that contain a text", async () => {
    await using server = await css()
    const [people, json] = await Promise.all([
      run(["rules", formatLoopback(server), "--grep", "GRAV"]),
      run(["rules", "--json", formatLoopback(server), "--grep", "GRAV"])
    ])
    expect(people.stdout).toMatch(/^1 of \d+ rules .*\n {2}sv_gravity 800\n\n$/)
    expect(objects(json.stdout)).toMatchObject([{ ok: true, rules: { rules: [{ name: "sv_gravity", value: "800" }] } }])
  })

  it("read addresses from a file and from standard input", async () => {
    await using server = await css()
    const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
    try {
      const file = join(directory, "servers.txt")
      const list = `# mine\n\n  ${formatLoopback(server)}  \r\n# yours\n127.0.0.1:1\n`
      await writeFile(file, list)
      const runs = await Promise.all([
        run(["info", "--json", "--file", file]),
        run(["info", "--json", "--file", "-"], { stdin: list })
      ])
      for (const { exitCode, stdout } of runs) {
        expect(objects(stdout).map(({ address, ok }) => ({ address, ok }))).toEqual(
          expect.arrayContaining([
            { address: formatLoopback(server), ok: true },
            { address: "127.0.0.1:1", ok: false }
          ])
        )
        expect(exitCode).toBe(1)
      }
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it("succeed if the server sends only some of the requested replies, and report an error for each missing reply", async () => {
    const info = `ffffffff4911${text("name")}${text("map")}${text("game")}${text("Game")}0000000800646c0000${text("1")}`
    const replies: Readonly<Record<string, string>> = { "54": info, "55": "ffffffff4400" }
    await using server = await udpServer((request) => [replies[request.slice(8, 10)] ?? []].flat())
    const { exitCode, stdout } = await run(["query", "--json", "--timeout", "2000", server.address])
    expect(objects(stdout)).toMatchObject([{ ok: true, info: {}, players: {}, errors: { rules: { _tag: "Timeout" } } }])
    expect(exitCode).toBe(0)
  })

  it("mark an ambiguous round-trip time", async () => {
    // The servers delay every reply, so that the program retransmits its requests. If a request contains no challenge, a reply could belong
    // to any transmission of the request.
    const serve = (profile: Profile) => startServer({ transport: layer, profile, faults: { delayMs: 900 } })
    await using challenging = await serve(profiles.css())
    await using trusting = await serve({ ...profiles.css(), trusts: ["info"] })
    const json = (name: string, server: { readonly port: number }) =>
      run([name, "--json", "--timeout", "20000", formatLoopback(server)])
    const [info, human, ...others] = await Promise.all([
      json("info", trusting),
      run(["info", formatLoopback(trusting)]),
      json("info", challenging),
      json("query", challenging),
      json("query", trusting)
    ])
    expect(objects(info.stdout)).toMatchObject([{ ok: true, rttAmbiguous: true, info: {} }])
    expect(Object.keys(objects(info.stdout)[0]!).slice(2, 4)).toEqual(["rttMs", "rttAmbiguous"])
    expect(human.stdout).toMatch(/ · ≈[\d.]+ ms\n/)
    for (const { stdout } of others) {
      const [{ ok, rttAmbiguous, rttMs } = {}] = objects(stdout)
      expect(ok).toBe(true)
      expect(rttAmbiguous === true || (rttMs as number) > 899).toBe(true)
    }
  })

  it("query an IPv6 address", async () => {
    await using server = await startServer({ transport: layer, host: "::1" })
    const { stdout } = await run(["info", "--json", `[::1]:${server.port}`])
    expect(objects(stdout)).toMatchObject([{ address: `[::1]:${server.port}`, ok: true }])
  })
})

describe("a failed query", () => {
  /** Runs `info` for one address, with and without --json. Returns the error as JSON and as a sentence. */
  const failure = async (address: string, timeout = "3000", exitCode = 1) => {
    const [json, human] = await Promise.all([
      run(["info", "--json", "--timeout", timeout, address]),
      run(["info", "--timeout", timeout, address])
    ])
    expect(json.stderr).toBe("")
    expect(human.stdout).toBe("")
    expect(human.stderr.trimEnd().split("\n")).toHaveLength(1)
    expect([json.exitCode, human.exitCode]).toEqual([exitCode, exitCode])
    const [line] = objects(json.stdout)
    expect(line).toMatchObject({ address, ok: false })
    return { error: line!["error"], sentence: human.stderr }
  }

  it("reports a closed port", async () => {
    const { error, sentence } = await failure("127.0.0.1:1")
    expect(error).toMatchObject({ _tag: "PortClosed" })
    expect(sentence).toMatch(/^✗ 127\.0\.0\.1:1 {2}The port is closed/)
  })

  it("reports a timeout", async () => {
    await using server = await udpServer(() => [])
    const { error, sentence } = await failure(server.address, "300")
    expect(error).toMatchObject({ _tag: "Timeout", phase: "request", sent: expect.any(Number), received: 0 })
    expect(sentence).toMatch(/No reply to A2S_INFO within 300 ms/)
  })

  it("reports that the server replies to pings, but not to queries", async () => {
    await using server = await udpServer((request) => (request === "ffffffff69" ? ["ffffffff6a00"] : []))
    const { error, sentence } = await failure(server.address)
    expect(error).toMatchObject({ _tag: "Timeout", phase: "request", alive: true })
    expect(sentence).toMatch(/The server is up/)
    expect(sentence).not.toMatch(/may be down/)
  })

  it("reports a name that does not exist", async () => {
    const { error, sentence } = await failure("nobody.invalid:27015")
    expect(error).toMatchObject({ _tag: "Unresolved", host: "nobody.invalid" })
    expect(sentence).toMatch(/spelling/)
  })

  it("reports a ban, with the text that the server sent", async () => {
    await using server = await udpServer(() => [`ffffffff6c${text("You have been banned from this server.\n")}`])
    const { error, sentence } = await failure(server.address, "3000", 3)
    expect(error).toMatchObject({ _tag: "Refused", text: "You have been banned from this server." })
    expect(sentence).toMatch(/banned from this server\. Only the server's operator can lift a ban/)
  })

  it.each(["info", "players", "rules", "query"])(
    "the command %s exits with 3 if all failures are bans",
    async (command) => {
      const ban = () => udpServer(() => [`ffffffff6c${text("You have been banned from this server.\n")}`])
      await using banned = await ban()
      await using other = await ban()
      await using fine = await css()
      const readExitCode = async (...addresses: ReadonlyArray<string>) =>
        (await run([command, "--json", "--timeout", "300", ...addresses])).exitCode
      expect(await readExitCode(banned.address, other.address)).toBe(3)
      expect(await readExitCode(banned.address, formatLoopback(fine))).toBe(3)
      // If a target fails for a reason other than a ban, the exit code is 1.
      expect(await readExitCode(banned.address, "127.0.0.1:1")).toBe(1)
    }
  )

  it("reports malformed bytes", async () => {
    await using server = await udpServer(() => [`ffffffff4911${text("name")}6d6170`])
    const { error, sentence } = await failure(server.address)
    expect(error).toMatchObject({
      _tag: "Malformed",
      field: "map",
      offset: 11,
      hex: expect.stringMatching(/^ffffffff49/)
    })
    expect(sentence).toMatch(/This may not be a game server/)
  })

  it("prints no escape sequences from the text of a server", async () => {
    await using server = await udpServer(() => [`ffffffff6c${text("\u001b[2J\u0007gone")}`])
    const { sentence } = await failure(server.address, "3000", 3)
    expect(sentence).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe("usage errors", () => {
  it.each([
    [["info"]],
    [["info", "127.0.0.1:99999"]],
    [["info", "1.2.3"]],
    [["info", "--timeout", "soon", "127.0.0.1"]],
    [["info", "--timeout", "0", "127.0.0.1"]],
    [["info", "--retries", "-1", "127.0.0.1"]],
    [["info", "--encoding", "klingon", "127.0.0.1"]],
    [["info", "--bogus", "127.0.0.1"]],
    [["nonsense"]],
    [["decode", "--pcap", "x", "ff"]],
    [["serve", "--bind", "example.org"]],
    [["serve", "--bind", "192.0.2.1", "--loss", "0.5"]],
    [["serve", "--loss", "2"]]
  ])("cause exit code 2, and are printed only to standard error: %j", async (args) => {
    const { exitCode, stderr, stdout } = await run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toMatch(/^sourcewire: ./)
  })

  it("are reported before any query is sent", async () => {
    await using server = await udpServer(() => [])
    const { exitCode } = await run(["info", server.address, "not an address"])
    expect(exitCode).toBe(2)
    expect(server.requests).toEqual([])
  })
})

describe("an interrupt", () => {
  it("ends the program with exit code 130, but the results so far are printed", async () => {
    await using silent = await udpServer(() => [])
    await using server = await css()
    const running = start(["info", "--json", "--timeout", "60000", silent.address, formatLoopback(server)])
    await running.printed("\n")
    running.child.kill("SIGINT")
    const { exitCode, stderr, stdout } = await running.ended
    expect(objects(stdout)).toMatchObject([{ address: formatLoopback(server), ok: true }])
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" })
  })

  it("ends ping, which prints the statistics of the completed pings", async () => {
    await using server = await css()
    const running = start(["ping", "--count", "1000", "--interval", "60000", formatLoopback(server)])
    await running.printed("#1")
    running.child.kill("SIGINT")
    const { exitCode, stdout } = await running.ended
    expect(stdout).toMatch(/1 ping sent, 1 reply, 0 % lost; min .* jitter/)
    expect(exitCode).toBe(130)
  })
})

describe("if the reader closes the pipe", () => {
  it("the program ends without an error message", async () => {
    const running = start(["decode", "--json"], { stdin: "ffffffff57\n".repeat(200_000) })
    await running.printed("\n")
    running.child.stdout!.destroy()
    const { exitCode, stderr } = await running.ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })
})

describe("--trace", () => {
  it("prints each datagram on standard error, and only results on standard output", async () => {
    await using server = await css()
    const { stderr, stdout } = await run(["rules", "--json", "--trace", formatLoopback(server)])
    expect(objects(stdout)).toHaveLength(1)
    expect(stderr).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} → 127\.0\.0\.1:\d+ {2}9 bytes, RulesRequest \(A2S_RULES\)\n {5}0 {2}ff ff ff ff/
    )
    expect(stderr).toMatch(/← 127\.0\.0\.1:\d+ {2}9 bytes, ChallengeReply/)
    expect(stderr).toMatch(/bytes, a fragment\n/)
    expect(stderr).toMatch(/= 127\.0\.0\.1:\d+ {2}joined \d+ fragments, source layout: RulesReply/)
  })
})
