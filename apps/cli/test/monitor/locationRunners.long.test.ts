/** Checks which slices the runners in two locations own, and that the results of a killed runner are ignored. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { beginAudit, foreignWrites, psql } from "../../../../tooling/fleet/src/audit.ts"
import {
  type Fleet,
  isInstalled,
  makeFleet,
  startWorld,
  until,
  type World
} from "../../../../tooling/fleet/src/fleet.ts"
import { program } from "../runCli.ts"

const INTERVAL_MS = 1000

/** Waits until `isSo` returns true, at most 200 seconds. The time limit is long, because the machine may be busy. */
const eventually = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, 200_000)

describe.skipIf(!isInstalled)("instances in several locations", () => {
  let world: World
  let fleet: Fleet
  beforeAll(async () => {
    world = await startWorld(20, 2, 7000)
    const settings = { intervalMs: INTERVAL_MS, timeoutMs: 900, downAfter: 3, locations: ["eu", "us"] }
    fleet = await makeFleet(program, world.targets, settings)
  })
  afterAll(() => fleet.stop())

  it(
    "own only slices of their location, and ignore the last results of an instance that was killed",
    { timeout: 240_000 },
    async () => {
      const at = (name: string, location: string) => fleet.start(name, ["--location", location])
      const [, , us] = await Promise.all([at("eu-1", "eu"), at("eu-2", "eu"), at("us-1", "us")])
      const url = fleet.postgres.url()
      const owners = (): ReadonlyArray<string> =>
        psql(
          url,
          `select distinct name || ' ' || split_part(owner, '-', 1) || ' ' || split_part(owner, ':', 1)
          from slice join location on location.id = slice.slice / 300 order by 1`
        ).split("\n")
      const spread = ["eu eu eu-1", "eu eu eu-2", "us us us-1"]
      await eventually("each runner owns slices of its location", async () => owners().join() === spread.join())
      const count = (sql: string): number => Number(psql(url, `select count(*) from ${sql}`))
      const all = world.targets.length
      await eventually("all are up", async () => count("latest where state = 'up'") === all)
      await eventually(
        "both locations have queried all servers",
        async () => count("location_latest where state = 'up'") === 2 * all
      )
      beginAudit(url)
      await us!.end("SIGKILL")
      await world.stop()
      await eventually("all servers are reported down", async () => count("latest where state = 'down'") === all)
      // The store still contains the last results of the killed runner, and all servers are up in these results.
      expect(count("location_latest where state = 'up'")).toBe(all)
      expect(count("change where field = 'state' and became = 'down'")).toBe(all)
      expect(foreignWrites(url)).toBe(0)
    }
  )
})
