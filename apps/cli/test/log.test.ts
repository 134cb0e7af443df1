import { makeLogSender } from "@sourcewire/server"
import type { LogSenderOptions } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createSocket } from "node:dgram"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"

const parsePort = (stdout: string): number => Number(/"listening":"127\.0\.0\.1:(\d+)"/.exec(stdout)![1])

const send = (port: number, options: LogSenderOptions, ...lines: ReadonlyArray<string>): Promise<void> =>
  Effect.gen(function* () {
    const sender = yield* makeLogSender({ ...options, targets: [{ address: "127.0.0.1", port }] })
    for (const line of lines) yield* sender.send(line)
  }).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise)

/** Sends a text as a datagram. Each character of the text becomes one byte. */
const sendBytes = (port: number, latin1: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4")
    socket.send(Buffer.from(latin1, "latin1"), port, "127.0.0.1", () => socket.close(() => resolve()))
  })

/** Starts an emulated CS2 server with an RCON console. */
const serveCs2 = async () => {
  const env = { SOURCEWIRE_RCON_PASSWORD: "open sesame" }
  const serving = start(["serve", "--json", "--port", "0", "--profile", "cs2"], { env })
  await serving.printed("\n")
  return {
    env,
    where: String(objects(serving.output().stdout)[0]!["listening"]),
    [Symbol.asyncDispose]: async () => {
      serving.child.kill("SIGINT")
      await serving.ended
    }
  }
}

describe("log", () => {
  it("with --json, prints lines as JSON, and ends after --count lines", async () => {
    const running = start(["log", "--json", "--bind", "127.0.0.1:0", "--count", "2"])
    await running.printed("\n")
    await send(parsePort(running.output().stdout), {}, 'World triggered "Round_Start"', "second line")
    const { exitCode, stderr, stdout } = await running.ended
    const [listening, first, second] = objects(stdout)
    expect(listening).toEqual({ listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/) })
    expect(first).toEqual({
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      ok: true,
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      format: "source",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      text: 'World triggered "Round_Start"',
      line: expect.stringMatching(/^L .*"Round_Start"\n$/)
    })
    expect(second).toMatchObject({ text: "second line" })
    expect(stderr).toMatch(/^2 lines\n$/)
    expect(exitCode).toBe(0)
  })

  it("drops lines without the secret, and never prints the secret", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
    const file = join(directory, "secret.txt")
    await writeFile(file, "open-sesame\n")
    const running = start(["log", "--json", "--bind", "127.0.0.1:0", "--count", "1", "--secret-file", file])
    await running.printed("\n")
    const port = parsePort(running.output().stdout)
    await send(port, {}, "no secret")
    await send(port, { secret: Redacted.make("open-sesamf") }, "wrong secret")
    await send(port, { secret: Redacted.make("open-sesame") }, "right secret")
    const { exitCode, stderr, stdout } = await running.ended
    await rm(directory, { recursive: true })
    expect(objects(stdout).slice(1)).toMatchObject([{ text: "right secret" }])
    expect(stderr).toMatch(/1 line, 2 with a wrong secret/)
    expect(stdout + stderr).not.toContain("sesame")
    expect(exitCode).toBe(0)
  })

  it("accepts lines only from the senders that --from lists, and prints the numbers of accepted and dropped lines after an interrupt", async () => {
    const running = start(["log", "--json", "--bind", "127.0.0.1:0", "--from", "127.0.0.2"])
    await running.printed("\n")
    const port = parsePort(running.output().stdout)
    await send(port, {}, "from another")
    await send(port, { format: "goldsource", host: "127.0.0.2" }, "from the one")
    await running.printed("from the one")
    running.child.kill("SIGINT")
    const { exitCode, stderr, stdout } = await running.ended
    expect(objects(stdout).slice(1)).toMatchObject([{ text: "from the one", format: "goldsource" }])
    expect(stderr).toMatch(/1 line, 1 from other senders/)
    expect(exitCode).toBe(130)
  })

  it("prints, for each engine, the command that enables the log", async () => {
    const running = start(["log", "--bind", "127.0.0.1:0", "--count", "1"])
    await running.printedOnStderr("Xash3D")
    const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(running.output().stderr)![1])
    await send(port, { format: "xash3d" }, "a line")
    const { stderr, stdout } = await running.ended
    expect(stderr).toMatch(new RegExp(`^ +logaddress_add 127\\.0\\.0\\.1:${port} +Source$`, "m"))
    expect(stderr).toMatch(new RegExp(`^ +logaddress_add 127\\.0\\.0\\.1 ${port} +HLDS, ReHLDS$`, "m"))
    expect(stderr).toMatch(new RegExp(`^ +logaddress 127\\.0\\.0\\.1 ${port} +Xash3D$`, "m"))
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}127\.0\.0\.1:\d+ {2}a line\n$/)
  })

  it.each([
    [[], "********"],
    [["--show-passwords"], "secret"]
  ])("with the flags %j, prints a logged RCON password as %s", async (flags, shown) => {
    const running = start(["log", "--json", "--bind", "127.0.0.1:0", "--count", "1", ...flags])
    await running.printed("\n")
    await send(
      parsePort(running.output().stdout),
      { format: "goldsource" },
      'Rcon: "rcon 123 "secret" status" from "1.2.3.4:5"'
    )
    const { stdout } = await running.ended
    expect(objects(stdout)[1]).toMatchObject({ text: `Rcon: "rcon 123 "${shown}" status" from "1.2.3.4:5"` })
    expect(stdout.includes("secret")).toBe(shown === "secret")
  })

  it.each([[[]], [["--json"]]])("with the flags %j, prints no escape sequences from a log line", async (flags) => {
    const running = start(["log", "--bind", "127.0.0.1:0", "--count", "1", ...flags])
    await (flags.length === 0 ? running.printedOnStderr("Xash3D") : running.printed("\n"))
    const { stderr, stdout } = running.output()
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(stderr + stdout)![1])
    // The log sender of this project removes control characters. Therefore the test sends this line without the log sender.
    await sendBytes(port, "\xff\xff\xff\xffRL 06/28/2025 - 08:42:47: \x1b[31mred\x07 \x9b2J\n\0")
    const ended = await running.ended
    expect(ended.stdout).toMatch(/red/)
    // The output contains no control characters except line ends.
    expect(ended.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it("on a public address, warns that other hosts can forge log lines", async () => {
    const running = start(["log", "--json", "--bind", "0.0.0.0:0"])
    await running.printed("\n")
    running.child.kill("SIGINT")
    expect((await running.ended).stderr).toMatch(/Any host that can reach this port can forge log lines/)
  })

  it.each([
    [["--bind", "example.invalid:27500"], /numeric address/],
    [["--bind", "127.0.0.1:70000"], /port/],
    [["--bind", "127.0.0.1:0", "--from", "not an address"], /not an address/]
  ])("rejects %j", async (args, message) => {
    const { exitCode, stderr, stdout } = await run(["log", ...args])
    expect(stderr).toMatch(message)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  })

  it("reports that the secret file cannot be read", async () => {
    const { exitCode, stderr } = await run(["log", "--secret-file", "no such file"])
    expect(stderr).toMatch(/Cannot read no such file/)
    expect(exitCode).toBe(1)
  })

  it("without --http, prints that CS2 sends no log over UDP", async () => {
    const receiver = start(["log", "--bind", "127.0.0.1:0"])
    await receiver.printedOnStderr("Left 4 Dead 2")
    receiver.child.kill("SIGINT")
    const { stderr } = await receiver.ended
    expect(stderr).toMatch(/Counter-Strike 2 sends no log over UDP: use --http\. Left 4 Dead 2/)
  })
})

describe("log --http", () => {
  it("receives lines that an emulated CS2 server posts", async () => {
    await using server = await serveCs2()
    const running = start(["log", "--json", "--http", "--bind", "127.0.0.1:0", "--count", "2"])
    await running.printed("\n")
    const url = `http://127.0.0.1:${parsePort(running.output().stdout)}/`
    const commands = ["say before", `logaddress_add_http "${url}"`, "say one", 'say "two words"']
    const ran = await run(["rcon", server.where, ...commands.flatMap((one) => ["-e", one])], { env: server.env })
    expect(ran.exitCode).toBe(0)
    const { exitCode, stderr, stdout } = await running.ended
    expect(objects(stdout).slice(1)).toMatchObject([
      {
        ok: true,
        format: "source",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
        text: '"Console<0><Console><Console>" say "one"',
        origin: { token: "5af0c1de5af0c1de" }
      },
      { text: '"Console<0><Console><Console>" say "two words"' }
    ])
    expect(stderr).toBe("2 lines\n")
    expect(exitCode).toBe(0)
  })

  it("prints the command that makes a CS2 server send its log", async () => {
    const receiver = start(["log", "--http", "--bind", "127.0.0.1:0"])
    await receiver.printedOnStderr("logaddress_add_http")
    receiver.child.kill("SIGINT")
    const { stderr } = await receiver.ended
    expect(stderr).toMatch(
      /Listening on 127\.0\.0\.1:\d+ \(HTTP\)[^]*logaddress_add_http "http:\/\/127\.0\.0\.1:\d+\/"/
    )
  })
})
