/**
 * Queries a server with hostile characters in every text. Checks that no command prints control sequences or invisible characters in any
 * format.
 */
import { encode, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import type { Profile } from "@sourcewire/server"
import { profiles, startServer } from "@sourcewire/emulator"
import { current, makeLogSender, startRconServer } from "@sourcewire/server"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ip, links, pcap } from "../../../tooling/testing/captureFiles.ts"
import { objects, run, start } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

const HOSTILE = '=1\u001b]0;owned\u0007\u001b[2J\u009b2J\r\nFORGED "\u202e\u200b\u3164\u2028\u2800שלום'

/**
 * Matches control characters (except line feeds), invisible characters, and lines that begin with `FORGED`. No output may match this
 * expression.
 */
const BAD = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u3164\u2800]|^FORGED/mu

const expectHarmless = (output: { readonly stdout: string; readonly stderr: string }): void => {
  expect(output.stdout).not.toMatch(BAD)
  expect(output.stderr).not.toMatch(BAD)
}

/**
 * Replaces every text in a value with hostile characters. Does not change fields that can contain only certain values, such as
 * `serverType`.
 */
const spoilt = <A>(value: A): A => {
  if (typeof value === "string") return HOSTILE as A
  if (Array.isArray(value)) return value.map(spoilt) as A
  if (typeof value !== "object" || value === null) return value
  const kept = new Set(["_tag", "serverType", "environment", "steamId", "gameId", "type", "dll"])
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kept.has(key) ? one : spoilt(one)])) as A
}

const hostileProfile = (): Profile => {
  const profile = profiles.css({ people: 3 })
  return {
    ...profile,
    info: { ...spoilt(current(profile.info!)!), folder: "cstrike" },
    players: spoilt(current(profile.players!)!),
    rules: spoilt({ ...current(profile.rules!)!, rules: current(profile.rules!)!.rules.slice(0, 5) })
  }
}

const world = new AsyncDisposableStack()
let folder: string
let server: string
let rcon: string
let refusing: string
const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sourcewire-hostile-"))
  world.defer(() => rm(folder, { recursive: true }))
  const profile = hostileProfile()
  const game = world.use(await startServer({ transport, profile }))
  server = `127.0.0.1:${game.port}`
  const handler = () => `${HOSTILE}\n${HOSTILE}`
  const console = { transport, engine: "source", password: "secret", port: 0, handler } as const
  rcon = `127.0.0.1:${world.use(await startRconServer(console)).local.port}`
  const refusal: Message = { _tag: "PrintReply", text: HOSTILE }
  refusing = world.use(await udpServer(() => [toHex(Result.getOrThrow(encode(refusal)))])).address
})
afterAll(() => world.disposeAsync())

describe("text of a hostile server", () => {
  it.each(["info", "players", "rules", "query", "ping"])("is harmless in the output of %s", async (command) => {
    for (const extra of [[], ["--json"], ["--trace"]]) {
      const ended = await run([command, ...(command === "ping" ? ["--count", "1"] : []), ...extra, server])
      expectHarmless(ended)
      expect(ended.stdout).not.toBe("")
    }
  })

  it.each(["table", "csv", "json"])("is harmless in the output of scan --format %s", async (format) => {
    const ended = await run(["scan", "--format", format, "--query", "all", server])
    expectHarmless(ended)
    expect(ended.stdout).toContain("owned")
    if (format === "csv") expect(ended.stdout).toContain("'=1")
  })

  it("is harmless if the server rejects the query", async () => {
    for (const extra of [[], ["--json"], ["--trace"]]) expectHarmless(await run(["info", ...extra, refusing]))
    expectHarmless(await run(["scan", "--timeout", "500", refusing]))
  })

  it("is harmless in replies of the server's console", async () => {
    const env = { SOURCEWIRE_RCON_PASSWORD: "secret" }
    for (const extra of [[], ["--json"], ["--trace"]]) {
      const ended = await run(["rcon", ...extra, rcon, "status"], { env })
      // The reply of a console may contain line breaks. Therefore this test permits lines that begin with `FORGED`.
      expectHarmless({ stdout: ended.stdout.replace(/^FORGED/gm, ""), stderr: ended.stderr.replace(/^FORGED/gm, "") })
      expect(ended.stdout).toContain("owned")
    }
  })

  it("is harmless in log lines", async () => {
    for (const extra of [[], ["--json"]]) {
      const running = start(["log", "--bind", "127.0.0.1:0", "--count", "1", ...extra])
      const listening = async (): Promise<number> => {
        for (;;) {
          const { stderr, stdout } = running.output()
          const port = /127\.0\.0\.1:(\d+)/.exec(stdout + stderr)?.[1]
          if (port !== undefined) return Number(port)
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
      const port = await listening()
      await makeLogSender({ targets: [{ address: "127.0.0.1", port }] }).pipe(
        Effect.flatMap((sender) => sender.send(HOSTILE.replaceAll(/[\r\n]/g, " "))),
        Effect.scoped,
        Effect.provide(transport),
        Effect.runPromise
      )
      const ended = await running.ended
      expectHarmless(ended)
      expect(ended.stdout).toContain("owned")
    }
  })

  it("is harmless in the output of decode, for hex and for a capture", async () => {
    const message = Result.getOrThrow(encode({ _tag: "PrintReply", text: HOSTILE }))
    const packet = ip({ source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000], payload: message })
    const capture = await file("capture.pcap", pcap(1, [{ timeNs: 0n, bytes: links[1]!(packet) }]))
    const info = Result.getOrThrow(encode(current(hostileProfile().info!)!))
    for (const extra of [[], ["--tree"], ["--json"], ["--json", "--tree"]]) {
      expectHarmless(await run(["decode", ...extra, toHex(message), toHex(info)]))
      expectHarmless(await run(["decode", ...extra, "--pcap", capture]))
    }
  })

  it("is harmless in the proxy's log, metrics and replies", async () => {
    const running = start([
      "proxy",
      "--json",
      "--upstream",
      server,
      "--bind",
      "127.0.0.1:0",
      "--metrics",
      "127.0.0.1:0"
    ])
    await running.printed('"upstream"')
    const printed = objects(running.output().stdout)
    const metrics = String(printed.find((line) => "metrics" in line)!["metrics"])
    const url = metrics.startsWith("http") ? metrics : `http://${metrics}/metrics`
    const text = await (await fetch(url)).text()
    expect(text).not.toMatch(BAD)
    expectHarmless(await run(["query", String(printed.find((line) => "upstream" in line)!["listening"])]))
    running.child.kill("SIGTERM")
    expectHarmless(await running.ended)
  })
})

describe("text of a hostile list or a pasted command line", () => {
  it("is harmless in usage errors", async () => {
    const word = HOSTILE.replaceAll(/[\r\n]/g, " ")
    const lines = [
      [word],
      ["info", word],
      ["info", `--${word}`, server],
      ["scan", "--query", word, server],
      ["scan", "--where", word, server],
      ["master", "--filter", word],
      ["serve", "--profile", word],
      ["log", "--bind", word],
      ["proxy", "--upstream", word],
      ["decode", "--pcap", word],
      ["decode", word],
      ["info", "--file", word]
    ]
    await Promise.all(
      lines.map(async (args) => {
        const ended = await run(args)
        expectHarmless(ended)
        expect([1, 2]).toContain(ended.exitCode)
      })
    )
  }, 120_000)

  it("is harmless in errors about lines of a file", async () => {
    const list = await file("list.txt", `${server}\n${HOSTILE.replaceAll(/[\r\n]/g, " ")}\n`)
    for (const args of [
      ["info", "--file", list],
      ["scan", "--file", list],
      ["scan", "--format", "csv", "--file", list]
    ]) {
      expectHarmless(await run(args))
    }
  })
})
