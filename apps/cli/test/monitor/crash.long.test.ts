/** A monitor that is killed at any moment: what it knew a second or two before it knows again, and tells nothing twice. */
import { seededRandom } from "@sourcewire/core/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { objects, start } from "../runCli.ts"

/** How often it is killed; SOURCEWIRE_KILLS=200 for the whole campaign. */
const KILLS = Number(process.env["SOURCEWIRE_KILLS"] ?? 8)

const directory = mkdtempSync(join(tmpdir(), "sourcewire-crash-"))
const file = join(directory, "monitor.db")
afterAll(() => rmSync(directory, { recursive: true }))

interface Change {
  readonly id: number
  readonly field: string
  readonly from: string
  readonly to: string
  readonly at: number
}

it(
  `loses no change older than two seconds in ${KILLS} crashes, and doubles none`,
  async () => {
    const random = seededRandom(11)
    const seen = new Map<number, Change>()
    let port = 0
    let lost = 0
    let server: ReturnType<typeof start> | undefined
    for (let kill = 0; kill < KILLS; kill++) {
      // The server comes and goes, so that there is something to tell.
      if (server === undefined) {
        server = start(["serve", "--json", "--port", String(port)])
        await server.printed("\n")
        port = Number(String(objects(server.output().stdout)[0]!["listening"]).split(":").at(-1))
      } else {
        server.child.kill("SIGKILL")
        server = undefined
      }
      const config = join(directory, "monitor.json")
      const quick = { intervalMs: 1000, timeoutMs: 300, retries: 1, downAfter: 1 }
      writeFileSync(config, JSON.stringify({ groups: [{ name: "all", targets: [`127.0.0.1:${port}`], ...quick }] }))
      const monitor = start(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", file, "--config", config])
      const ended = await Promise.race([monitor.printed("\n"), monitor.ended])
      if (ended !== undefined) throw new Error(ended.stderr)
      const url = String(objects(monitor.output().stdout)[0]!["url"])
      const until = Date.now() + random() * 6000
      let newest: ReadonlyArray<Change> = []
      while (Date.now() < until) {
        newest = (await (await fetch(`${url}/api/changes?limit=1000`)).json()) as ReadonlyArray<Change>
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      monitor.child.kill("SIGKILL")
      await monitor.ended
      for (const change of newest) seen.set(change.id, change)
      const database = new DatabaseSync(file)
      expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }])
      const stored = new Set(
        database
          .prepare("select id from change")
          .all()
          .map(({ id }) => Number(id))
      )
      database.close()
      // What the API told was stored.
      for (const id of seen.keys()) if (!stored.has(id)) lost++
    }
    server?.child.kill("SIGKILL")
    const states = [...seen.values()].filter(({ field }) => field === "state").toSorted((a, b) => a.id - b.id)
    expect(lost).toBe(0)
    expect(states.length).toBeGreaterThan(KILLS / 4)
    // Up and down take turns: none was told twice, and none is missing between two others.
    for (const [i, { from }] of states.entries()) if (i > 0) expect(from).toBe(states[i - 1]!.to)
  },
  KILLS * 30_000
)
