/**
 * Tests the exit codes of `sourcewire health`. The command has different exit codes for a server that is starting and for a server that is
 * down.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { objects, run } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

const text = (value: string): string => Buffer.from(`${value}\0`).toString("hex")

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-health-"))
})
afterAll(() => rm(directory, { recursive: true }))

let files = 0
const stateFile = (): string => join(directory, `state-${files++}.json`)

const css = (people = 22) => startServer({ transport: layer, profile: profiles.css({ people }) })

/** Runs `sourcewire health --json`. Returns the exit code, the text on standard error, and the JSON object that the command printed. */
const health = async (address: string, ...flags: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = await run(["health", "--json", address, ...flags])
  return { exitCode, stderr, line: objects(stdout)[0]! }
}

const CLOSED = "127.0.0.1:1"

describe("health", () => {
  it("exits with 0 for a server that replies", async () => {
    await using server = await css()
    const where = `127.0.0.1:${server.port}`
    const [json, human] = await Promise.all([health(where), run(["health", where])])
    expect(json).toMatchObject({
      exitCode: 0,
      stderr: "",
      line: {
        address: where,
        ok: true,
        state: "healthy",
        rttMs: expect.any(Number),
        map: "de_dust2",
        players: 26,
        bots: 4
      }
    })
    expect(human).toMatchObject({ exitCode: 0, stderr: "" })
    expect(human.stdout).toMatch(/^127\.0\.0\.1:\d+ is healthy: 26\/32 players on de_dust2, RTT ≈?[\d.]+ ms\n$/)
  })

  it("exits with 1 if the port is closed or the query times out, and reports which of these errors occurred", async () => {
    await using silent = await udpServer(() => [])
    const [closed, timeout, human] = await Promise.all([
      health(CLOSED),
      health(silent.address, "--timeout", "300"),
      run(["health", CLOSED])
    ])
    expect(closed).toMatchObject({
      exitCode: 1,
      line: { ok: false, state: "unhealthy", error: { _tag: "PortClosed" } }
    })
    expect(timeout).toMatchObject({ exitCode: 1, line: { ok: false, state: "unhealthy", error: { _tag: "Timeout" } } })
    expect(human.stdout).toMatch(/^127\.0\.0\.1:1 is unhealthy: The port is closed/)
  })

  it("exits with 3 for a ban and with 2 for an invalid command line", async () => {
    await using banned = await udpServer(() => [`ffffffff6c${text("You have been banned from this server.\n")}`])
    expect(await health(banned.address)).toMatchObject({ exitCode: 3, line: { error: { _tag: "Refused" } } })
    const args = [
      ["health"],
      ["health", "no address"],
      ["health", CLOSED, "--map"],
      ["health", CLOSED, "--game", "nosuch"]
    ]
    expect((await Promise.all(args.map((one) => run(one)))).map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
  })

  it.each([
    [["--min-players", "22"], 0],
    [["--min-players", "23"], 1],
    [["--map", "de_dust2"], 0],
    [["--map", "DE_*"], 0],
    [["--map", "*d*st*"], 0],
    [["--map", "*"], 0],
    [["--map", "cs_*"], 1],
    [["--map", "de_dust"], 1],
    [["--map", "de_dust2*2"], 1],
    [["--map", "cs_*", "--min-players", "23"], 1]
  ])("with the requirements %j, exits with %d", async (flags, exitCode) => {
    await using server = await css()
    const checked = await health(`127.0.0.1:${server.port}`, ...flags)
    expect(checked.exitCode).toBe(exitCode)
    expect(checked.line).toMatchObject({ ok: exitCode === 0, map: "de_dust2" })
    if (exitCode === 1) {
      const { message } = checked.line["error"] as { message: string }
      for (const flag of flags.filter((word) => word.startsWith("--"))) expect(message).toContain(`${flag} requires`)
    }
  })

  it("exits with 4 for a starting server, and with 1 after the grace period", async () => {
    const state = stateFile()
    const grace = ["--start-grace", "1h", "--state", state]
    const starting = await health(CLOSED, ...grace)
    expect(starting).toMatchObject({
      exitCode: 4,
      stderr: "",
      line: { ok: false, state: "starting", error: { _tag: "PortClosed" } }
    })
    expect(await health(CLOSED, ...grace)).toMatchObject({ exitCode: 4 })
    // The grace period ends after the time that `--start-grace` specifies, or after the first reply. To simulate that this time has passed,
    // the test decreases `firstAt` in the state file.
    const { firstAt, start } = JSON.parse(await readFile(state, "utf8")) as { firstAt: number; start: string }
    await writeFile(state, JSON.stringify({ firstAt: firstAt - 3_600_000, start }))
    expect(await health(CLOSED, ...grace)).toMatchObject({ exitCode: 1, line: { state: "unhealthy" } })
    await rm(state)
    const server = await css()
    const where = `127.0.0.1:${server.port}`
    expect(await health(where, ...grace)).toMatchObject({ exitCode: 0 })
    await server.close()
    expect(await health(where, ...grace)).toMatchObject({ exitCode: 1, line: { state: "unhealthy" } })
    // After a restart of the container or the host, the server may be starting again. To simulate such a restart, the test changes `start`
    // in the state file.
    const kept = JSON.parse(await readFile(state, "utf8")) as object
    await writeFile(state, JSON.stringify({ ...kept, start: "another" }))
    expect(await health(where, ...grace)).toMatchObject({ exitCode: 4 })
  })

  it("with --max-age, exits with 0 while the last reply is recent", async () => {
    const server = await css()
    const where = `127.0.0.1:${server.port}`
    const flags = ["--max-age", "1h", "--state", stateFile()]
    expect(await health(where, ...flags)).toMatchObject({ exitCode: 0 })
    await server.close()
    expect(await health(where, ...flags)).toMatchObject({
      exitCode: 0,
      line: { ok: true, state: "healthy", ageSeconds: expect.any(Number), error: { _tag: "PortClosed" } }
    })
    const [, , , state] = flags
    const kept = JSON.parse(await readFile(state!, "utf8")) as { firstAt: number; repliedAt: number }
    await writeFile(state!, JSON.stringify({ ...kept, firstAt: 0, repliedAt: kept.repliedAt - 3_600_001 }))
    expect(await health(where, ...flags)).toMatchObject({ exitCode: 1 })
  })

  it("if the state file cannot be written, prints a warning and uses only the current reply", async () => {
    await using server = await css()
    const flags = ["--max-age", "60", "--state", join(directory, "nowhere", "state.json")]
    const checked = await health(`127.0.0.1:${server.port}`, ...flags)
    expect(checked.exitCode).toBe(0)
    expect(checked.stderr).toMatch(/Cannot write .*--state FILE/)
  })

  it("if --state names a directory, prints a warning and leaves the directory empty", async () => {
    await using server = await css()
    const folder = stateFile()
    await mkdir(folder)
    const checked = await health(`127.0.0.1:${server.port}`, "--max-age", "60", "--state", folder)
    expect(checked.exitCode).toBe(0)
    expect(checked.stderr).toMatch(/Cannot write [^]* is not a\s+file/)
    expect(await readdir(folder)).toEqual([])
    expect((await readdir(directory)).filter((name) => name.endsWith(".new"))).toEqual([])
  })

  it("ignores a state file that is invalid or is a symbolic link", async () => {
    const [target, link, broken] = [stateFile(), stateFile(), stateFile()]
    const now = Date.now()
    await writeFile(target, JSON.stringify({ firstAt: now, repliedAt: now, start: "" }))
    await symlink(target, link)
    await writeFile(broken, "{")
    for (const file of [link, broken]) {
      expect(await health(CLOSED, "--max-age", "1h", "--start-grace", "1h", "--state", file)).toMatchObject({
        exitCode: 4
      })
    }
    expect(await readFile(target, "utf8")).toContain('"start":""')
  })

  it("by default, stores one state file per server in the folder for temporary files", async () => {
    const env = { TMPDIR: await mkdtemp(join(directory, "tmp-")) }
    const { exitCode } = await run(["health", CLOSED, "--start-grace", "60"], { env })
    expect(exitCode).toBe(4)
    expect(await readdir(env.TMPDIR)).toEqual([expect.stringMatching(/^sourcewire-health-\w+-127\.0\.0\.1_1\.json$/)])
  })
})
