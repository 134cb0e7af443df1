/**
 * Lets a monitor ask a server on loopback and be asked for its plot, and prints which functions ran, by file, as JSON: what
 * docs/one-answer.md tells is held to it.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { functionsThatRan, root, startInfoServer } from "../../../tooling/testing/whatRuns.ts"

const { address } = await startInfoServer()
const directory = mkdtempSync(join(tmpdir(), "sourcewire-answer-"))
const args = ["--query", "info", "--bind", "127.0.0.1:0", "--store", join(directory, "monitor.db"), "--json"]

const { write } = process.stdout
const ran = await functionsThatRan(async () => {
  const { start } = (await import(new URL("apps/cli/src/program.ts", root).href)) as {
    readonly start: (args: ReadonlyArray<string>, version: string) => unknown
  }
  const url = await new Promise<string>((resolve) => {
    process.stdout.write = (text: string) => {
      resolve((JSON.parse(text) as { url: string }).url)
      return true
    }
    start(["monitor", address, ...args], "")
  })
  const get = async (path: string): Promise<string> => (await fetch(url + path)).text()
  const until = async (path: string, isThere: (text: string) => boolean): Promise<void> => {
    while (!isThere(await get(path))) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // It has answered, and that is stored: only then is there something to plot after the next start too.
  await until("/api/targets", (text) => text.includes(`"up"`))
  await until("/metrics", (text) => /^sourcewire_monitor_store_writes_total [1-9]/m.test(text))
  await get("/api/targets/1/samples")
})
process.stdout.write = write
process.stdout.write(JSON.stringify(Object.fromEntries(ran)), () => {
  rmSync(directory, { recursive: true })
  process.exit()
})
