/** Tests scans during which the network interface of the scanning machine is down. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { joinedHosts } from "./joinedHosts.ts"
import { objects, run, start } from "./runCli.ts"

const SERVERS = 4000
const FIRST_PORT = 20_000

const hosts = joinedHosts()

describe.runIf(hosts !== undefined)("a scan of many servers", () => {
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
    "finds all servers even if the network interface is down for %i ms",
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

  it(
    "reports targets that this host cannot query, and does not mark these targets as completed",
    { timeout: 120_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
      world.defer(() => rm(folder, { recursive: true }))
      const checkpoint = join(folder, "scan.json")
      // The network namespace of the scan has no route to 192.0.2.1, and no route to a name server.
      const unknown = ["192.0.2.1:27015", "game.example:27015"]
      const args = ["scan", "--json", "--timeout", "500", "--checkpoint", checkpoint, targets[0]!, ...unknown]
      const one = await run(args, { through: here })
      expect(
        objects(one.stdout)
          .map(({ ok }) => ok)
          .toSorted()
      ).toEqual([false, false, true])
      expect(one.stderr.trimEnd().split("\n").at(-1)).toMatch(
        /^2 targets could not be queried, so their state is unknown\. .+scan\.json lists all targets that could not be queried: to query them again, repeat the command\.$/
      )
      expect(JSON.parse(await readFile(checkpoint, "utf8"))).toMatchObject({ open: [1, 2], answered: 1, failed: 0 })
      const two = await run(args, { through: here })
      expect(objects(two.stdout).map(({ address, error }) => [address, error])).toEqual(
        expect.arrayContaining([
          [unknown[0], expect.objectContaining({ _tag: "SendFailed", code: "ENETUNREACH", local: true })],
          [unknown[1], expect.objectContaining({ _tag: "Unresolved", local: true })]
        ])
      )
      expect([one.exitCode, two.exitCode]).toEqual([1, 1])
    }
  )

  it("does not report a server as gone while this host cannot send queries", { timeout: 120_000 }, async () => {
    const args = ["scan", "--json", "--watch", "1", "--rounds", "3", "--timeout", "500", targets[0]!, targets[1]!]
    const running = start(args, { through: here })
    await Promise.all([running.printed(targets[0]!), running.printed(targets[1]!)])
    setInterface("down")
    await running.printedOnStderr("could not be queried")
    setInterface("up")
    const { exitCode, stdout } = await running.ended
    expect(objects(stdout).length).toBe(2)
    expect(exitCode).toBe(0)
  })
})
