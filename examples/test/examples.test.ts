/** Runs every example on its runtime, against emulated servers. */
import { connect } from "@sourcewire/transport-node"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { startServer } from "@sourcewire/emulator"
import { startRconServer } from "@sourcewire/server"
import { build } from "esbuild"
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterEach, expect, it } from "vitest"
import { dumpDomArguments, externalBrowser } from "../../tooling/testing/browser/program.ts"
import { programs } from "../../tooling/programs/programs.mjs"

const chromium = externalBrowser()
const directory = fileURLToPath(new URL("..", import.meta.url))
const DENO = ["run", "--unstable-net", "--allow-net", "--no-prompt"]

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill()
  children.clear()
})

/** Starts a program. Returns a function that returns the output so far, a function that waits for output, and a promise of the exit code. */
const start = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(program, args, { cwd: directory, env: { ...process.env, ...env } })
  children.add(child)
  let printed = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text))
  return {
    printed: () => printed,
    prints: (pattern: RegExp) => expect.poll(() => printed, { timeout: 60_000 }).toMatch(pattern),
    ended: new Promise<number | null>((resolve) => child.once("close", resolve))
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

it("status-page.ts on Bun shows a server that responds, and a server that does not respond", async () => {
  await using server = await startServer({ transport })
  const port = await freePort()
  const SERVERS = `127.0.0.1:${server.port},127.0.0.1:1`
  const program = start(programs.bun, ["status-page.ts"], { SERVERS, PORT: String(port) })
  await program.prints(/Started/)
  const response = await fetch(`http://127.0.0.1:${port}/`)
  const html = await response.text()
  expect(html).toContain("<td>de_dust2</td><td>26/32</td>")
  expect(html).toContain('<td>127.0.0.1:1</td><td colspan="2">does not respond</td>')
})

it("discord-summary.ts on Node prints a summary of a server, or the error if the query fails", async () => {
  await using server = await startServer({ transport })
  const program = start(programs.node, ["discord-summary.ts", `127.0.0.1:${server.port}`])
  expect(await program.ended).toBe(0)
  expect(program.printed()).toMatch(/^\*\*Sourcewire Emulator .*\*\*\nde\\_dust2 · 26\/32 players · \d+ ms\n1\. .*\n/)
  const offline = start(programs.node, ["discord-summary.ts", "127.0.0.1:1"])
  expect(await offline.ended).toBe(0)
  expect(offline.printed()).toMatch(/^\*\*127\.0\.0\.1\\:1\*\* cannot be queried: ./)
})

it("discord-live-message.ts on Node posts one message and then edits this message, even after a restart or a rate limit", async () => {
  await using server = await startServer({ transport })
  const scratch = await mkdtemp(join(tmpdir(), "sourcewire-discord-"))
  const requests: Array<{
    readonly line: string
    readonly embeds: ReadonlyArray<{ readonly title: string; readonly description: string }>
  }> = []
  const statuses: Array<number> = [200, 429]
  const discord = createHttpServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      requests.push({ line: `${request.method} ${request.url}`, ...(JSON.parse(body) as { embeds: [] }) })
      const status = statuses.shift() ?? 200
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0.1" }).end('{"id":"42"}')
    })
  })
  await new Promise<void>((resolve) => discord.listen(0, "127.0.0.1", resolve))
  const webhook = `http://127.0.0.1:${(discord.address() as AddressInfo).port}/api/webhooks/1/secret`
  await writeFile(join(scratch, "webhook"), `${webhook}\n`)
  const env = { WEBHOOK_FILE: join(scratch, "webhook"), MESSAGE_FILE: join(scratch, "id"), INTERVAL_S: "0.1" }
  const args = ["discord-live-message.ts", `127.0.0.1:${server.port}`, "127.0.0.1:1"]
  start(programs.node, args, env)
  await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThan(3)
  for (const child of children) child.kill()
  const first = requests.length
  const again = start(programs.node, args, env)
  await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThan(first + 1)
  expect(requests[0]!.line).toBe("POST /api/webhooks/1/secret?wait=true")
  expect(new Set(requests.slice(1).map(({ line }) => line))).toEqual(
    new Set(["PATCH /api/webhooks/1/secret/messages/42"])
  )
  expect(requests[0]!.embeds[0]!.description).toMatch(/^\*\*26\/32\*\* on de\\_dust2/)
  expect(requests[0]!.embeds[1]).toMatchObject({
    title: "127.0.0.1:1",
    description: expect.stringMatching(/^The port is closed/)
  })
  discord.closeAllConnections()
  discord.close()
  await again.prints(/Discord cannot be reached/)
  expect(again.printed()).not.toContain("secret")
  await rm(scratch, { recursive: true })
})

it("list-watcher.ts on Deno prints the servers that respond, and a server that no longer responds", async () => {
  await using steady = await startServer({ transport })
  const leaving = await startServer({ transport, profile: "rust" })
  const addresses = [steady, leaving].map(({ port }) => `127.0.0.1:${port}`)
  const program = start(programs.deno, [...DENO, "list-watcher.ts", "0.2", ...addresses])
  await program.prints(new RegExp(`${addresses[0]} Sourcewire .*de_dust2, 26 players`))
  await program.prints(new RegExp(`${addresses[1]} .*players`))
  await leaving.close()
  await program.prints(new RegExp(`${addresses[1]} no longer responds`))
})

it("rcon-automation.ts on Bun announces a map change and changes the map", async () => {
  const commands: Array<string> = []
  const handler = (command: string): string => {
    commands.push(command)
    return command === "status" ? "hostname: ours\nmap: de_nuke\n" : ""
  }
  const options = { transport, engine: "source", password: "probe pw", port: 0, handler } as const
  await using server = await startRconServer(options)
  const env = { RCON_PASSWORD: "probe pw", WARNING_MS: "10" }
  const program = start(programs.bun, ["rcon-automation.ts", `127.0.0.1:${server.local.port}`, "de_inferno"], env)
  expect(await program.ended).toBe(0)
  expect(program.printed()).toBe("hostname: ours\nChanged to de_inferno.\n")
  expect(commands.filter((command) => command !== "")).toEqual([
    "status",
    "say The map changes to de_inferno in 0 seconds.",
    "changelevel de_inferno"
  ])
})

it("own-server.ts on Node replies to queries, and lists a player who joined", async () => {
  const program = start(programs.node, ["own-server.ts", "0"])
  await program.prints(/Listening on/)
  const address = /127\.0\.0\.1:(\d+)/.exec(program.printed())!
  const socket = createSocket("udp4")
  await new Promise((resolve) => socket.send("Zoë", Number(address[1]), "127.0.0.1", resolve))
  socket.close()
  await using client = await connect({ timeoutMs: 500 })
  const { info, players } = await client.query(address[0])
  expect(info).toMatchObject({ name: "Our first server", map: "meadow", players: 1 })
  expect(players?.players).toMatchObject([{ name: "Zoë", score: 0 }])
})

it("decode-in-browser, bundled into a page, shows the fields of a datagram", { timeout: 60_000 }, async () => {
  const scratch = await mkdtemp(join(tmpdir(), "sourcewire-page-"))
  try {
    const { outputFiles } = await build({
      entryPoints: [join(directory, "decode-in-browser", "main.ts")],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser"
    })
    if (chromium === undefined) return
    const page = await readFile(join(directory, "decode-in-browser", "index.html"), "utf8")
    // The script is inserted into the page, because browsers do not load modules from files.
    const script = outputFiles[0]!.text.replaceAll("</script", "<\\/script")
    await writeFile(
      join(scratch, "index.html"),
      page.replace(/<script.*<\/script>/, () => `<script>${script}</script>`)
    )
    const url = pathToFileURL(join(scratch, "index.html")).href
    const program = start(chromium, dumpDomArguments(join(scratch, "profile"), url))
    await program.ended
    expect(program.printed()).toContain('<p id="outcome">InfoReply</p>')
    expect(program.printed()).toContain("<td>name</td><td>Our first server</td>")
  } finally {
    await rm(scratch, { recursive: true, maxRetries: 3 })
  }
})
