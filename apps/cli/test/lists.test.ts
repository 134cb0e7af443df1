/** Tests lists of targets in files, on standard input and in arguments, with every command that accepts such lists. */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

let folder = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
})
afterEach(() => rm(folder, { recursive: true }))

const QUICK = ["--timeout", "200ms", "--retries", "0"]

const css = () => startServer({ transport: layer, profile: "css" })

describe.each(["info", "query", "players", "rules", "ping", "scan"])("%s with a list of targets", (command) => {
  it("queries an address that is followed by a comment, and reports an error for an invalid line", async () => {
    await using server = await css()
    const address = `127.0.0.1:${server.port}`
    const file = join(folder, "servers.txt")
    await writeFile(file, `# ours\n\n${address} # the first\nnot an address\n`)
    const more = command === "ping" ? ["--count", "1"] : []
    const { exitCode, stdout } = await run([command, "--json", ...QUICK, ...more, "--file", file])
    const lines = objects(stdout).toSorted((a, b) => Number(a["ok"]) - Number(b["ok"]))
    expect(lines).toMatchObject([
      { address: "not an address", ok: false, error: { _tag: "InvalidAddress" } },
      { address, ok: true }
    ])
    expect(exitCode).toBe(1)
  })
})

it("the error about an invalid line contains the name of the file and the number of the line", async () => {
  const file = join(folder, "servers.txt")
  await writeFile(file, "# ours\nnot an address\n")
  const { stderr } = await run(["info", "--file", file])
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(`Line 2 of ${file}: `)
})

it("serve --master-list reports and skips an invalid line of the list", async () => {
  const args = ["serve", "--json", "--master", "valve", "--master-list", "-", "--port", "0"]
  const running = start(args, { stdin: "192.0.2.7:27015 # one\nnot an address\n" })
  await running.printed("\n")
  running.child.kill("SIGTERM")
  const { exitCode, stderr, stdout } = await running.ended
  expect(objects(stdout)).toMatchObject([{ master: "valve", servers: 1 }])
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("Line 2 of standard input: ")
  expect(exitCode).toBe(0)
})

describe("scan", () => {
  it("uses the port of --port for addresses without a port", async () => {
    await using server = await css()
    const { stdout } = await run([
      "scan",
      "--json",
      ...QUICK,
      "--port",
      String(server.port),
      "127.0.0.1",
      "127.0.0.1:9"
    ])
    expect(objects(stdout).map(({ address, ok }) => [address, ok])).toEqual(
      expect.arrayContaining([
        [`127.0.0.1:${server.port}`, true],
        ["127.0.0.1:9", false]
      ])
    )
  })

  it.each(["plyers > 0", "info.nmae == 'x'"])("rejects an unknown field in --where: %s", async (where) => {
    const { exitCode, stderr } = await run(["scan", "127.0.0.1", "--where", where])
    expect(stderr).toMatch(/there is no field "(plyers|nmae)"; did you mean (players|name)\?/)
    expect(exitCode).toBe(2)
  })

  it("reports the number of completed targets twice: after an interrupt, and at the start of the resumed scan", async () => {
    await using silent = await udpServer(() => [])
    await using server = await css()
    const address = `127.0.0.1:${server.port}`
    const file = join(folder, "servers.txt")
    await writeFile(file, [address, silent.address].join("\n"))
    const args = ["scan", "--json", "--file", file, "--timeout", "1m", "--retries", "0"]
    const whole = start(args)
    await whole.printed(address)
    whole.child.kill("SIGINT")
    const interrupted = await whole.ended
    expect(interrupted.exitCode).toBe(130)
    expect(interrupted.stderr).toMatch(/^Interrupted: 1 of 2 targets completed\. .*--checkpoint FILE/m)
    const checkpoint = join(folder, "scan.json")
    const saved = [...args, "--checkpoint", checkpoint]
    const first = start(saved)
    await first.printed(address)
    first.child.kill("SIGINT")
    expect((await first.ended).stderr).toMatch(
      `Interrupted: 1 of 2 targets completed. The same command resumes from ${checkpoint}.`
    )
    const second = await run(saved.map((arg) => (arg === "1m" ? "100ms" : arg)))
    expect(second.stderr).toMatch(`Resuming from ${checkpoint}: 1 of 2 targets are already complete.`)
    expect(objects(second.stdout)).toMatchObject([{ address: silent.address }])
  })
})

describe("--ordered", () => {
  it.each(["info", "scan"])("prints the results of %s in the order of the targets", async (command) => {
    await using silent = await udpServer(() => [])
    await using server = await css()
    const address = `127.0.0.1:${server.port}`
    const targets = [silent.address, address]
    const { stdout } = await run([command, "--json", "--ordered", ...QUICK, ...targets])
    expect(objects(stdout).map((line) => line["address"])).toEqual(targets)
    const unordered = await run([command, "--json", ...QUICK, ...targets])
    expect(objects(unordered.stdout).at(-1)!["address"]).toBe(silent.address)
  })
})

describe("--quiet", () => {
  it("hides the summary, but still prints results and errors", async () => {
    await using server = await css()
    const args = ["scan", ...QUICK, `127.0.0.1:${server.port}`, "127.0.0.1:9"]
    const [usual, quiet] = [await run(args), await run([...args, "--quiet"])]
    expect(usual.stderr).toMatch(/2 targets in/)
    expect(quiet).toMatchObject({ exitCode: 1, stderr: "", stdout: expect.stringContaining(String(server.port)) })
    const wrong = await run(["info", "--quiet", ...QUICK, "127.0.0.1:9"])
    expect(wrong.stderr).toContain("127.0.0.1:9")
  })
})
