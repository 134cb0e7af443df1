/**
 * Lets a monitor ask a server on loopback and be asked for its plot, and prints which functions ran, by file, as JSON: what
 * docs/one-answer.md tells is held to it.
 */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = new URL("../../../", import.meta.url)
const CHALLENGE = Buffer.from("ffffffff410a0b0c0d", "hex")
const INFO = Buffer.from("ffffffff49116e616d65006d617000666f6c6465720067616d65000a00002000646c0001310000", "hex")

const server = createSocket("udp4")
server.on("message", (request, { address, port }) => {
  server.send(request.length > 25 ? INFO : CHALLENGE, port, address)
})
server.bind(0, "127.0.0.1")
await once(server, "listening")

const directory = mkdtempSync(join(tmpdir(), "sourcewire-answer-"))
const args = ["--query", "info", "--bind", "127.0.0.1:0", "--store", join(directory, "monitor.db"), "--json"]

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })

const { start } = (await import(new URL("apps/cli/src/program.ts", root).href)) as {
  readonly start: (args: ReadonlyArray<string>, version: string) => unknown
}
const { write } = process.stdout
const url = await new Promise<string>((resolve) => {
  process.stdout.write = (text: string) => {
    resolve((JSON.parse(text) as { url: string }).url)
    return true
  }
  start(["monitor", `127.0.0.1:${server.address().port}`, ...args], "")
})
const get = async (path: string): Promise<string> => (await fetch(url + path)).text()
const until = async (path: string, isThere: (text: string) => boolean): Promise<void> => {
  while (!isThere(await get(path))) await new Promise((resolve) => setTimeout(resolve, 20))
}
// It has answered, and that is stored: only then is there something to plot after the next start too.
await until("/api/targets", (text) => text.includes(`"up"`))
await until("/metrics", (text) => /^sourcewire_monitor_store_writes_total [1-9]/m.test(text))
await get("/api/targets/1/samples")

const { result } = await session.post("Profiler.takePreciseCoverage")
const ran: Record<string, ReadonlyArray<string>> = {}
for (const { functions, url: file } of result) {
  if (!file.startsWith(root.href) || file.includes("/node_modules/")) continue
  const names = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0)
  if (names.length > 0) ran[file.slice(root.href.length)] = names.map(({ functionName }) => functionName)
}
process.stdout.write = write
process.stdout.write(JSON.stringify(ran), () => {
  rmSync(directory, { recursive: true })
  process.exit()
})
