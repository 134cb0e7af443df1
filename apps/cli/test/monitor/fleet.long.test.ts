/**
 * Tests monitors that share the targets of one Postgres database. During the tests, a monitor stops, is killed, is frozen, or cannot reach
 * the database.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Fleet,
  isInstalled,
  makeFleet,
  type Runner,
  startWorld,
  until,
  type World
} from "../../../../tooling/fleet/src/fleet.ts"
import { beginAudit } from "../../../../tooling/fleet/src/audit.ts"
import { strangeConnections } from "../../../../tooling/fleet/src/connections.ts"
import { freeze, kill, outage, type Place } from "../../../../tooling/fleet/src/trials.ts"
import { objects, program, run } from "../runCli.ts"

const INTERVAL_MS = 2000

describe.skipIf(!isInstalled)("a fleet", () => {
  let world: World
  let fleet: Fleet
  let left: Runner
  beforeAll(async () => {
    world = await startWorld(60, 5, 7000)
    fleet = await makeFleet(program, world.targets, { intervalMs: INTERVAL_MS })
  })
  afterAll(async () => {
    await fleet.stop()
    await world.stop()
  })

  /** Returns the number of servers that a runner queries. */
  const share = async ({ url }: Runner): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return metrics.match(/^sourcewire_server_up\{/gm)?.length ?? 0
  }
  /** Returns the JSON objects that `monitor status` prints. */
  const status = async (...args: ReadonlyArray<string>) =>
    objects((await run(["monitor", "status", "--json", ...args])).stdout)
  const shares = (runners: ReadonlyArray<Runner>, all: number) =>
    until(`${runners.length} runners query ${all} servers`, async () => {
      const counts = await Promise.all(runners.map(share))
      return counts.every((count) => count > 0) && counts.reduce((sum, count) => sum + count, 0) === all
    })

  it(
    "divides the targets among its instances, and still queries all targets after an instance stops or is killed",
    { timeout: 120_000 },
    async () => {
      const all = world.targets.length
      const one = await fleet.start("one")
      await shares([one], all)
      const two = await fleet.start("two")
      await shares([one, two], all)
      // The page of runner two shows all servers, including the servers that only runner one queries.
      await until("the page of runner two shows all servers", async () => {
        const overview = (await (await fetch(`${two.url}/api/overview`)).json()) as { readonly up: number }
        return overview.up === all
      })
      await until("runner two reports both runners", async () => {
        const instances = await status(two.url)
        const asked = instances.reduce((sum, { targets }) => sum + Number(targets), 0)
        return instances.length === 2 && asked === all && instances.every(({ ok }) => ok === true)
      })
      // The events from runner one include the events of servers that only runner two queries.
      const ofTwo = await (await fetch(`${two.url}/metrics`)).text()
      const events = await fetch(`${one.url}/api/events`)
      let text = ""
      for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const addresses = [...text.matchAll(/"address":"([^"]+)"/g)].map(([, address]) => address!)
        if (addresses.some((address) => ofTwo.includes(`sourcewire_server_up{target="${address}"`))) break
      }
      // After a runner was stopped with SIGTERM, `monitor status` no longer lists this runner.
      await two.end("SIGTERM")
      await shares([one], all)
      await until("runner one is the only one", async () => (await status(one.url)).length === 1)
      const three = await fleet.start("three")
      await shares([one, three], all)
      await one.end("SIGKILL")
      await until("the status reports that one has ended", async () =>
        (await status("--store", fleet.postgres.url())).some(({ alive }) => alive === false)
      )
      await shares([three], all)
      await until("runner three owns all slices", async () =>
        (await status(three.url)).some(({ slices }) => slices === 300)
      )
      left = three
      await world.asked()
      await sleep(2 * INTERVAL_MS)
      expect(new Set((await world.asked()).map(([server]) => server)).size).toBe(all)
    }
  )

  it(
    "continues with consistent data after an instance is killed or frozen, and after an outage of the database",
    { timeout: 300_000 },
    async () => {
      const place: Place = {
        fleet,
        intervalMs: INTERVAL_MS,
        askers: 1,
        runners: [left, await fleet.start("four")],
        world
      }
      beginAudit(fleet.postgres.url())
      for (const runner of place.runners) expect(strangeConnections(runner, [fleet.postgres.url()])).toEqual([])
      const killed = await kill(place, 0)
      expect(killed).toMatchObject({ foreignWrites: 0, brokenChains: 0 })
      const frozen = await freeze(place, 0)
      expect(frozen).toMatchObject({ foreignWrites: 0, brokenChains: 0 })
      const away = await outage(place, 3 * INTERVAL_MS)
      expect(away).toMatchObject({ foreignWrites: 0, brokenChains: 0, died: 0 })
      // If the runners wrote no rows, the database triggers of the audit would detect no errors. Therefore the test also checks that the
      // runners have stored new changes.
      expect(away.changes).toBeGreaterThan(frozen.changes)
    }
  )
})
