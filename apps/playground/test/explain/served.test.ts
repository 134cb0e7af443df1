/**
 * Tests that `sourcewire serve --replies` can serve the files that the playground exports. Sourcewire's own client and quakestat query the
 * server.
 */
import { startServer } from "@sourcewire/emulator"
import { fromHex } from "@sourcewire/protocol"
import { connect } from "@sourcewire/transport-node"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import type { AskEvent } from "../../bridge/Api.ts"
import { ask } from "../../engine/querying.ts"
import { type Shown, toJsonLines, toPcapng, toReplies } from "../../src/explain/exports.ts"

const quakestat = externalProgram("quakestat", "qstat")

const program = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "served-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Queries a server over a real socket, and returns the exchange in the format that the Query view uses. */
const exchangeWith = async (port: number): Promise<Shown> => {
  const target = { host: "127.0.0.1", port, family: 4 } as const
  const events: ReadonlyArray<AskEvent> = await Effect.runPromise(
    Stream.runCollect(ask(target, "query", {}, transport))
  )
  const datagrams = events.flatMap((event) => {
    if (event._tag !== "Datagram") return []
    const ends = ["this page", event.remote] as const
    const [from, to] = event.direction === "sent" ? ends : ([ends[1], ends[0]] as const)
    return [{ bytes: fromHex(event.hex)!, timeMs: event.timeMs, from, to }]
  })
  return { datagrams, encoding: "auto" }
}

/** Saves the content in a file, starts `sourcewire serve --replies` with this file, and calls `use` with the port of the server. */
const serving = async (name: string, content: string | Uint8Array, use: (port: number) => Promise<void>) => {
  const file = join(folder, name)
  writeFileSync(file, content)
  const child = spawn(process.execPath, [
    program,
    "serve",
    "--json",
    "--port",
    "0",
    "--profile",
    "rust",
    "--replies",
    file
  ])
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer]
    const { listening, replies } = JSON.parse(String(line)) as { listening: string; replies: ReadonlyArray<string> }
    expect(replies).toEqual(["info", "players", "rules"])
    await use(Number(listening.split(":")[1]))
  } finally {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
}

describe("a server with exported replies", () => {
  it("sends the same replies as the recorded server", { timeout: 60_000 }, async () => {
    await using server = await startServer({ transport, profile: "tf2" })
    const shown = await exchangeWith(server.port)
    await using client = await connect()
    const { info, players, rules } = await client.query(`127.0.0.1:${server.port}`)
    const files = {
      "replies.json": toReplies(shown).text!,
      "sourcewire.pcapng": Buffer.concat(toPcapng(shown)),
      "sourcewire.jsonl": toJsonLines(shown)
    }
    for (const [name, content] of Object.entries(files)) {
      await serving(name, content, async (port) => {
        const read = await client.query(`127.0.0.1:${port}`)
        expect(read).toMatchObject({ info, players, rules })
        // The server sends the same bytes and the same challenge as the recorded server.
        const again = await exchangeWith(port)
        const received = ({ datagrams }: Shown) =>
          new Set(
            datagrams.flatMap(({ bytes, to }) => (to === "this page" ? [Buffer.from(bytes).toString("hex")] : []))
          )
        expect(received(again)).toEqual(received(shown))
      })
    }
  })

  it.skipIf(quakestat === undefined)("sends replies that quakestat can read", { timeout: 60_000 }, async () => {
    await using server = await startServer({ transport, profile: "css" })
    const query = async (port: number) => {
      const args = ["-nocfg", "-json", "-utf8", "-R", "-P", "-timeout", "5", "-a2s", `127.0.0.1:${port}`]
      const [told] = JSON.parse((await promisify(execFile)(quakestat!, args)).stdout) as [Record<string, unknown>]
      // If the game port and the queried port are different, quakestat adds the rule `hostport`. The test ignores this rule.
      const { hostport: _, ...rules } = told["rules"] as Record<string, string>
      const { map, name, numplayers, players } = told
      return { map, name, numplayers, players, rules }
    }
    const expected = await query(server.port)
    expect(expected.name).toBeTypeOf("string")
    const { text } = toReplies(await exchangeWith(server.port))
    await serving("quakestat.json", text!, async (port) => expect(await query(port)).toEqual(expected))
  })
})

it("replies can be exported only if exactly one server has sent them", async () => {
  expect(toReplies({ datagrams: [], encoding: "auto" }).problem).toMatch(/no reply.*Serve these bytes/)
  const [one, other] = await Promise.all(
    (["css", "rust"] as const).map(async (profile) => {
      await using server = await startServer({ transport, profile })
      return (await exchangeWith(server.port)).datagrams
    })
  )
  expect(toReplies({ datagrams: [...one!, ...other!], encoding: "auto" }).problem).toMatch(/2 servers.*filter/)
})
