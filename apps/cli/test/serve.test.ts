import { describe, expect, it } from "vitest"
import { objects, run, type Running, start } from "./runCli.ts"

describe("serve", () => {
  it("prints its addresses as JSON, replies to queries, and prints the number of requests after an interrupt", async () => {
    const serving = start([
      "serve",
      "--json",
      "--port",
      "0",
      "--profile",
      "cs16",
      "--profile",
      "rust",
      "--name",
      "Mine"
    ])
    await serving.printed('"rust"}\n')
    const addresses = objects(serving.output().stdout).map(({ listening }) => String(listening))
    const { exitCode, stdout } = await run(["query", "--json", ...addresses])
    expect(exitCode).toBe(0)
    expect(objects(stdout).map(({ info }) => (info as { name: string }).name)).toEqual(["Mine", "Mine"])
    serving.child.kill("SIGINT")
    const ended = await serving.ended
    expect(objects(ended.stdout)).toEqual([
      { listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/), profile: "cs16" },
      { listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/), profile: "rust" }
    ])
    expect(ended.stderr).toMatch(/^127\.0\.0\.1:\d+ {2}\d+ requests/)
    expect(ended.exitCode).toBe(130)
  })

  it("without --json, prints text, even if its output is a pipe", async () => {
    const serving = start(["serve", "--port", "0", "--profile", "cs16", "--loss", "0.3", "--master", "valve"])
    await serving.printed("Ctrl-C")
    serving.child.kill("SIGTERM")
    const { exitCode, stdout } = await serving.ended
    expect(stdout).toMatch(
      /^Emulating cs16 on 127\.0\.0\.1:\d+ \(loss 0\.3\)\nEmulating valve master on 127\.0\.0\.1:\d+ \(1 server\)\nNothing is stored\. Press Ctrl-C to stop\.\n$/
    )
    expect(exitCode).toBe(0)
  })

  it("injects the faults that its flags specify", async () => {
    const serving = start(["serve", "--json", "--port", "0", "--rechallenge", "2", "--reorder", "1", "--delay", "5"])
    await serving.printed("\n")
    const [line] = objects(serving.output().stdout)
    expect(line).toMatchObject({ faults: { rechallenge: 2, reorder: 1, delayMs: 5 } })
    const { exitCode, stdout } = await run(["query", "--json", String(line!["listening"])])
    expect(objects(stdout)).toMatchObject([{ ok: true, rttMs: expect.any(Number), players: {}, rules: {} }])
    expect(exitCode).toBe(0)
    serving.child.kill("SIGTERM")
    expect((await serving.ended).exitCode).toBe(0)
  })

  it.each(["0.0.0.0", "[::]", "::ffff:0.0.0.0"])(
    "rejects old games on the public address %s without --allow-amplification",
    async (bind) => {
      const { exitCode, stderr, stdout } = await run(["serve", "--profile", "hltv", "--port", "0", "--bind", bind])
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toMatch(/hltv .*--allow-amplification/s)
    }
  )

  it("replies to a handshake only if the emulated game uses the Source engine", async () => {
    const serving = start(["serve", "--json", "--port", "0", "--profile", "ship", "--profile", "xash3d"])
    await serving.printed('"xash3d"}\n')
    const addresses = objects(serving.output().stdout).map(({ listening }) => String(listening))
    const { stdout } = await run(["handshake", "--json", "--timeout", "1000", ...addresses])
    const answered = objects(stdout).filter(({ ok }) => ok === true)
    expect(answered.map(({ address }) => address)).toEqual([addresses[0]])
    serving.child.kill("SIGINT")
    await serving.ended
  })

  it("emulates old games on loopback, with and without --allow-amplification", async () => {
    for (const more of [
      ["--bind", "::1"],
      ["--bind", "127.0.0.9", "--allow-amplification"]
    ]) {
      const serving = start(["serve", "--json", "--profile", "hltv", "--port", "0", ...more])
      await serving.printed('"hltv"}\n')
      serving.child.kill("SIGINT")
      expect((await serving.ended).exitCode).toBe(130)
    }
  })

  it("reports a port in use", async () => {
    const serving = start(["serve", "--json", "--port", "0"])
    await serving.printed("\n")
    const { port } = new URL(`udp://${String(objects(serving.output().stdout)[0]!["listening"])}`)
    const { exitCode, stderr, stdout } = await run(["serve", "--port", port])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" })
    expect(stderr).toMatch(/^sourcewire: .* is in use \(EADDRINUSE\): .* choose another port\.\n$/)
    serving.child.kill("SIGINT")
    await serving.ended
  })
})

describe("serve --master", () => {
  const many = Array.from({ length: 701 }, (_, i) => `10.7.${i >> 8}.${i & 255}:27015`)

  const serving = async (args: ReadonlyArray<string>, stdin = ""): Promise<readonly [Running, string]> => {
    const running = start(["serve", "--json", "--port", "0", ...args], { stdin })
    await running.printed('"servers":')
    return [running, String(objects(running.output().stdout).at(-1)!["listening"])]
  }

  it.each(["xash3d", "valve"])("emulates a %s master, which sends the complete list", async (profile) => {
    const [running, address] = await serving(["--master", profile, "--master-list", "-"], many.join("\n"))
    expect(objects(running.output().stdout)).toEqual([{ listening: address, master: profile, servers: 701 }])
    const { exitCode, stderr, stdout } = await run(["master", "--server", address, "--interval", "0"])
    expect(stdout.trimEnd().split("\n").toSorted()).toEqual(many.toSorted())
    expect(stderr).toMatch(
      profile === "valve"
        ? /^701 servers in 5 pages; the list is complete/
        : /^701 servers in 1 page; the list is complete/
    )
    expect(exitCode).toBe(0)
    running.child.kill("SIGINT")
    expect((await running.ended).stderr).toMatch(/^master {2}\d requests/)
  })

  it("lists the emulated servers", async () => {
    const [running, address] = await serving(["--master", "valve", "--profile", "css", "--profile", "rust"])
    const started = objects(running.output().stdout).slice(0, 2)
    const { stdout } = await run(["master", "--server", address, "--interval", "0"])
    expect(stdout.trimEnd().split("\n").toSorted()).toEqual(started.map(({ listening }) => listening).toSorted())
    running.child.kill("SIGINT")
    await running.ended
  })

  it.each([
    [["--master-list", "-"], /requires --master/],
    [["--master", "valve", "--master-list", "-"], /IPv4/],
    [["--master", "xash3d", "--bind", "0.0.0.0"], /--allow-amplification/],
    [["--master", "moon"], /moon/]
  ])("rejects %j", async (args, message) => {
    const { exitCode, stderr, stdout } = await run(["serve", "--port", "0", ...args], { stdin: "[::1]:27015\n" })
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
    expect(stdout).not.toMatch(/master/)
  })
})

describe("demo", () => {
  it("shows an emulated server and suggests the next command", async () => {
    const [{ exitCode, stderr, stdout }, inClone] = await Promise.all([
      run(["demo"], { env: { npm_lifecycle_event: "" } }),
      run(["demo"], { env: { npm_lifecycle_event: "start" } })
    ])
    expect(stdout).toMatch(/Sourcewire Emulator .* 127\.0\.0\.1:\d+ · /)
    expect(stdout).toMatch(/Player +Score +Time/)
    expect(stderr).toMatch(/Next: `sourcewire query HOST:PORT`/)
    expect(inClone.stderr).toMatch(/Next: `npm run -s sourcewire -- query HOST:PORT`/)
    expect(exitCode).toBe(0)
  })

  it("queries the addresses in its arguments", async () => {
    const { exitCode, stderr } = await run(["demo", "127.0.0.1:1"])
    expect(stderr).toMatch(/is closed/)
    expect(exitCode).toBe(1)
  })
})
