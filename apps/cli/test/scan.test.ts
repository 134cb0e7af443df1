import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"

const DEAD = "127.0.0.1:1"

/** Starts servers at several loopback addresses. All servers have the same port. */
const servers = async (count: number) => {
  const first = await startServer({ transport: layer, profile: "css", host: "127.77.0.1" })
  const others = await Promise.all(
    Array.from({ length: count - 1 }, (_, i) =>
      startServer({ transport: layer, profile: "css", host: `127.77.0.${i + 2}`, port: first.port })
    )
  )
  const all = [first, ...others]
  return {
    port: first.port,
    addresses: all.map(({ address, port }) => `${address}:${port}`),
    requests: () => all.reduce((sum, server) => sum + server.counters().requests, 0),
    [Symbol.asyncDispose]: async () => {
      for (const server of all) await server[Symbol.asyncDispose]()
    }
  }
}

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const addressesIn = (stdout: string) => objects(stdout).map(({ address }) => address)

describe.concurrent("scan", { timeout: 120_000 }, () => {
  it("prints a summary and exactly one line for each target, even for a target that is listed twice", async () => {
    await using farm = await servers(3)
    const [a, b, c] = farm.addresses as [string, string, string]
    const list = `# mine\n${a}\n\n ${b} \n${a}\n${DEAD}\nnot an address\n`
    const { exitCode, stderr, stdout } = await run(["scan", "--json", "--timeout", "2000", "--file", "-", c], {
      stdin: list
    })
    expect(addressesIn(stdout).toSorted()).toEqual([a, b, c, DEAD, "not an address"].toSorted())
    expect(objects(stdout)).toContainEqual(expect.objectContaining({ address: a, ok: true, info: expect.any(Object) }))
    expect(objects(stdout).find(({ address }) => address === DEAD)).toMatchObject({
      ok: false,
      error: { _tag: "Timeout" }
    })
    expect(stderr).toContain("5 targets")
    expect(stderr).toContain("3 responded, 2 failed")
    expect(stderr).toContain("1 duplicate")
    expect(exitCode).toBe(1)
  })

  it("reports that a list has no targets", async () => {
    const { exitCode, stderr, stdout } = await run(["scan", "--json", "--file", "-"], { stdin: "# none\n\n" })
    expect(stderr).toBe("There were no targets to query.\n")
    expect([stdout, exitCode]).toEqual(["", 0])
  })

  it("scans a range without the addresses that --exclude specifies", async () => {
    await using farm = await servers(3)
    // The test counts requests. Therefore no request may be retransmitted, even on a slow machine. Every address that is not excluded has a
    // server. A target without a server would delay the test by the whole timeout.
    const patient = ["--timeout", "60000", "--retries", "0"]
    const excluded = ["--exclude", "127.77.0.0", "--exclude", "127.77.0.2"]
    const range = ["127.77.0.0/30", "--port", String(farm.port), ...excluded]
    const { stdout } = await run(["scan", ...range, ...patient])
    expect(stdout.split("\n").filter((line) => line.startsWith("127.77")).length).toBe(2)
    expect(stdout).not.toContain("127.77.0.2")
    expect(farm.requests()).toBe(4)
  })

  it("with --query all, prints players and rules; with --where, prints only the results that match the expression", async () => {
    await using farm = await servers(2)
    const runs = await Promise.all(
      [
        ["--where", "players >= 0 && rules.announced > 0"],
        ["--where", "players < 0"]
      ].map((more) => run(["scan", "--json", "--query", "all", ...more, ...farm.addresses]))
    )
    expect(runs.map(({ stdout }) => objects(stdout).length)).toEqual([2, 0])
    expect(objects(runs[0]!.stdout)[0]).toMatchObject({
      players: { _tag: "PlayersReply" },
      rules: { _tag: "RulesReply" }
    })
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  })

  it("queries each target in exactly one of two shards", async () => {
    await using farm = await servers(4)
    const runs = await Promise.all(
      ["1/2", "2/2"].map((shard) => run(["scan", "--json", "--shard", shard, ...farm.addresses]))
    )
    expect(runs.flatMap(({ stdout }) => addressesIn(stdout)).toSorted()).toEqual(farm.addresses.toSorted())
  })

  it.each([
    [["8.8.8.0/24"], "--public"],
    [["8.8.8.0/24", "--public"], "--rate"],
    [["fd00::/64"], "too large"],
    [["10.0.0.1/8"], "bits after"],
    [[], "No target given"],
    [["x y"], "not an address"],
    [["169.254.1.2"], "Steam's relays"],
    [["127.0.0.1", "--where", "players >"], "--where"],
    [["127.0.0.1", "--shard", "3/2"], "--shard"],
    [["127.0.0.1", "--exclude", "nothing"], "range"],
    [["--file", "-", "--checkpoint", "x"], "from standard input"],
    [["--file", "-", "--watch", "1"], "from standard input"]
  ])("rejects %j before the first query", async (args, reason) => {
    const { exitCode, stderr, stdout } = await run(["scan", ...args])
    expect(stderr).toContain(reason)
    expect({ exitCode, stdout: stdout.replace(/^address.*\n/, "") }).toEqual({ exitCode: 2, stdout: "" })
  })

  it("if a list contains an address of Steam's relays, reports that this address cannot be queried", async () => {
    await using farm = await servers(1)
    const list = ["169.254.1.2", ...farm.addresses].join("\n")
    const { exitCode, stderr, stdout } = await run(["scan", "--json", "--file", "-"], { stdin: list })
    expect(objects(stdout)).toContainEqual({
      address: "169.254.1.2:27015",
      ok: false,
      error: { _tag: "NotQueryable", reason: "relayed", message: expect.stringContaining("Steam's relays") }
    })
    expect(stderr).toMatch(/1 responded, 1 failed \(1 NotQueryable\)/)
    expect(stderr).toContain("1 target behind Steam's relays: query them with --game and --steam-key-file\n")
    expect(exitCode).toBe(1)
  })

  it("reports a missing file", async () => {
    const { exitCode, stderr } = await run(["scan", "--file", "/nowhere/servers.txt"])
    expect({ exitCode, said: stderr.includes("ENOENT") }).toEqual({ exitCode: 1, said: true })
  })
})

describe("an interrupted scan", () => {
  it(
    "resumes, and does not query completed targets again",
    () =>
      inFolder(async (folder) => {
        await using farm = await servers(4)
        const [file, checkpoint] = [join(folder, "servers.txt"), join(folder, "scan.json")]
        const dead = Array.from({ length: 40 }, (_, i) => `127.78.0.${i}:9`)
        await writeFile(file, [...farm.addresses.slice(0, 2), ...dead, ...farm.addresses.slice(2)].join("\n"))
        const args = [
          "scan",
          "--json",
          "--file",
          file,
          "--checkpoint",
          checkpoint,
          "--concurrency",
          "8",
          "--timeout",
          "300"
        ]
        const first = start(args)
        await first.printed(farm.addresses[1]!)
        first.child.kill("SIGINT")
        const one = await first.ended
        expect(one.exitCode).toBe(130)
        expect(JSON.parse(await readFile(checkpoint, "utf8"))).toMatchObject({ version: 2, answered: 2 })
        const asked = farm.requests()
        expect(asked).toBe(4)
        const two = await run(args)
        expect(farm.requests()).toBe(8)
        expect(two.exitCode).toBe(1)
        expect([...addressesIn(one.stdout), ...addressesIn(two.stdout)].toSorted()).toEqual(
          [...farm.addresses, ...dead].toSorted()
        )
        expect(existsSync(checkpoint)).toBe(false)
      }),
    120_000
  )

  it(
    "resumes from its checkpoint even after SIGKILL",
    () =>
      inFolder(async (folder) => {
        await using farm = await servers(4)
        const [file, checkpoint] = [join(folder, "servers.txt"), join(folder, "scan.json")]
        // Each target is in its own network, because a scan queries only a few targets of one network at the same time.
        const dead = Array.from({ length: 48 }, (_, i) => `127.78.${i}.1:9`)
        const all = [...dead.slice(0, 8), ...farm.addresses, ...dead.slice(8)]
        await writeFile(file, all.join("\n"))
        const args = ["scan", "--json", "--file", file, "--checkpoint", checkpoint]
        args.push("--concurrency", "12", "--timeout", "600")
        const printed: Array<unknown> = []
        for (const until of [dead[24]!, dead[36]!]) {
          const killed = start(args)
          await killed.printed(until)
          killed.child.kill("SIGKILL")
          const { stdout } = await killed.ended
          printed.push(...addressesIn(stdout.slice(0, stdout.lastIndexOf("\n") + 1)))
          expect(JSON.parse(await readFile(checkpoint, "utf8"))).toMatchObject({ version: 2, answered: 4 })
        }
        printed.push(...addressesIn((await run(args)).stdout))
        expect(new Set(printed)).toEqual(new Set(all))
        expect(farm.requests()).toBe(8)
        expect(existsSync(checkpoint)).toBe(false)
      }),
    120_000
  )
})

describe("a watched scan", () => {
  it("prints all results of the first round, and then only changes", async () => {
    await using stays = await servers(1)
    const leaves = await startServer({ transport: layer, profile: "css", host: "127.77.0.9" })
    const address = `${leaves.address}:${leaves.port}`
    const args = ["scan", "--json", "--watch", "1", "--rounds", "2", "--timeout", "2000"]
    args.push(address, ...stays.addresses)
    const running = start(args)
    await Promise.all([running.printed(address), running.printed(stays.addresses[0]!)])
    await leaves[Symbol.asyncDispose]()
    const { exitCode, stdout } = await running.ended
    const lines = objects(stdout)
    expect(lines.slice(0, 2).every(({ ok }) => ok === true)).toBe(true)
    expect(lines.slice(2)).toContainEqual({ at: expect.any(String), address, event: "gone" })
    expect(exitCode).toBe(1)
  }, 20_000)
})
