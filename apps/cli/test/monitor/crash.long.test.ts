/**
 * Kills a monitor at random times, and checks:
 *
 * - Changes that the monitor reported at least two seconds before a kill are stored.
 * - The stored changes of the state alternate between up and down. If two adjacent changes had the same new state, a change would be
 *   missing or stored twice.
 * - The file of the store is intact.
 * - The webhook receives every change of the map at least once.
 */
import { seededRandom } from "@sourcewire/core/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it, vi } from "vitest"
import { objects, start } from "../runCli.ts"

/** How many times the test kills the monitor. For a thorough run, set `SOURCEWIRE_KILLS=200`. */
const KILLS = Number(process.env["SOURCEWIRE_KILLS"] ?? 8)
/** Maximum time from the report of a change until the change is stored. */
const STORED_MS = 2000

const directory = mkdtempSync(join(tmpdir(), "sourcewire-crash-"))
const file = join(directory, "monitor.db")
const config = join(directory, "monitor.json")

/** Ids of the changes that the webhook received. A change that the webhook received twice is in this list twice. */
const alerted: Array<number> = []
const webhook = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    alerted.push(...(JSON.parse(body) as { alerts: ReadonlyArray<{ id: number }> }).alerts.map(({ id }) => id))
    response.end()
  })
})
await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve))
afterAll(() => {
  webhook.close()
  rmSync(directory, { recursive: true })
})

interface Stored {
  readonly id: number
  readonly was: string
  readonly became: string
}

/** Returns the stored changes of a field, and checks the integrity of the file. */
const stored = (field: "state" | "map"): ReadonlyArray<Stored> => {
  const database = new DatabaseSync(file)
  expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }])
  const rows = database.prepare("select id, was, became from change where field = ? order by id").all(field)
  database.close()
  return rows.map(({ became, id, was }) => ({ id: Number(id), was: String(was), became: String(became) }))
}

const startMonitor = async () => {
  const monitor = start(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", file, "--config", config])
  const ended = await Promise.race([monitor.printed("\n"), monitor.ended])
  if (ended !== undefined) throw new Error(ended.stderr)
  return { ...monitor, url: String(objects(monitor.output().stdout)[0]!["url"]) }
}

/**
 * Records the time at which the monitor reports each change, until the monitor ends. The monitor reports a change before it stores the
 * change.
 */
const listen = async (url: string, received: Map<number, number>): Promise<void> => {
  let text = ""
  try {
    const { body } = await fetch(`${url}/api/events`)
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split("\n\n")
      text = events.pop()!
      for (const [, id] of events.map((event) => /^event: change\nid: (\d+)/.exec(event) ?? [])) {
        if (id !== undefined && !received.has(Number(id))) received.set(Number(id), Date.now())
      }
    }
  } catch {
    // The monitor was killed.
  }
}

it(
  `a monitor that is killed ${KILLS} times loses no change that it reported at least two seconds before a kill, and stores no change twice`,
  async () => {
    const random = seededRandom(11)
    let port = 0
    let server: ReturnType<typeof start> | undefined
    const lost: Array<number> = []
    for (let kill = 0; kill < KILLS; kill++) {
      // Each pass of the loop either starts or kills the server. Therefore the state of the server changes.
      if (server === undefined) {
        // If the state of a server changes often, the webhook does not receive every change of the state. Therefore the test checks the
        // webhook with changes of the map.
        server = start(["serve", "--json", "--port", String(port), "--map", `map_${kill}`])
        await server.printed("\n")
        port = Number(String(objects(server.output().stdout)[0]!["listening"]).split(":").at(-1))
      } else {
        server.child.kill("SIGKILL")
        server = undefined
      }
      const quick = { intervalMs: 1000, timeoutMs: 300, retries: 1, downAfter: 1 }
      const { port: webhookPort } = webhook.address() as AddressInfo
      const hook = {
        name: "hook",
        url: `http://127.0.0.1:${webhookPort}/`,
        allowLocal: true,
        perMinute: 600,
        events: ["map"]
      }
      const groups = [{ name: "all", targets: [`127.0.0.1:${port}`], ...quick }]
      writeFileSync(config, JSON.stringify({ groups, webhooks: [hook] }))
      const { child, ended, url } = await startMonitor()
      const received = new Map<number, number>()
      const listening = listen(url, received)
      await sleep(random() * 6000)
      const killedAt = Date.now()
      child.kill("SIGKILL")
      await Promise.all([ended, listening])
      const kept = new Set([...stored("state"), ...stored("map")].map(({ id }) => id))
      for (const [id, at] of received) if (at < killedAt - STORED_MS && !kept.has(id)) lost.push(id)
    }
    server?.child.kill("SIGKILL")
    expect(lost).toEqual([])
    const last = await startMonitor()
    await vi.waitUntil(() => stored("map").every(({ id }) => alerted.includes(id)), { timeout: 60_000, interval: 100 })
    last.child.kill("SIGKILL")
    await last.ended
    const states = stored("state")
    expect(stored("map").length).toBeGreaterThan(KILLS / 8)
    expect(states.length).toBeGreaterThan(KILLS / 4)
    // The states up and down must alternate. Otherwise a change is missing or stored twice.
    for (const [i, { became, was }] of states.entries()) {
      expect([was, became].toSorted()).toEqual(["down", "up"])
      if (i > 0) expect(was).toBe(states[i - 1]!.became)
    }
    const doubled = alerted.length - new Set(alerted).size
    process.stdout.write(`${states.length} changes of state, ${alerted.length} alerts, ${doubled} of them sent twice\n`)
  },
  60_000 + KILLS * 30_000
)
