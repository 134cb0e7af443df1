/** Scans through outages of this machine's own network, on hosts of the test's own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { joinedHosts } from "../../../tooling/testing/networkNamespace.ts"
import { objects, start } from "./runCli.ts"

const SERVERS = 4000
const FIRST_PORT = 20_000

const hosts = joinedHosts()

describe.runIf(hosts !== undefined)("a scan of 4000 living servers", () => {
  const { addressThere = "", here = [], setInterface = () => undefined, there = [] } = hosts ?? {}
  const world = new AsyncDisposableStack()
  const targets = Array.from({ length: SERVERS }, (_, i) => `${addressThere}:${FIRST_PORT + i}`)

  beforeAll(async () => {
    world.use(hosts)
    const script = fileURLToPath(new URL("../../../tooling/conformance/src/farm.ts", import.meta.url))
    const words = [...there, process.execPath, script, addressThere, String(FIRST_PORT), String(SERVERS)]
    const farm = spawn(words[0]!, words.slice(1), { stdio: ["pipe", "pipe", "inherit"] })
    world.defer(() => void farm.stdin.end())
    await once(farm.stdout, "data")
  }, 60_000)

  afterAll(() => world.disposeAsync())

  it.each([300, 1500, 5000])(
    "finds them all with the interface down for %i ms",
    { timeout: 120_000 },
    async (downMs) => {
      const args = ["scan", "--json", "--file", "-", "--per-host", "1000", "--per-network", "1000", "--rate", "4000"]
      const running = start(args, { stdin: targets.join("\n"), through: here })
      await running.printed(`${addressThere}:${FIRST_PORT + 1000}`)
      setInterface("down")
      await sleep(downMs)
      setInterface("up")
      const { exitCode, stderr, stdout } = await running.ended
      const failed = objects(stdout).filter(({ ok }) => ok !== true)
      expect({ failed: failed.slice(0, 3), stderr }).toMatchObject({ failed: [] })
      expect(new Set(objects(stdout).map(({ address }) => address))).toEqual(new Set(targets))
      expect(exitCode).toBe(0)
    }
  )
})
