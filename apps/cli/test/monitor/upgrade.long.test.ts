/**
 * Upgrades the instances of a running fleet one after the other. The upgrade starts from the last version before the newest database
 * migration.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { beginAudit } from "../../../../tooling/fleet/src/audit.ts"
import { type Fleet, isInstalled, makeFleet, startWorld, type World } from "../../../../tooling/fleet/src/fleet.ts"
import { buildOlderProgram, type OlderProgram } from "../../../../tooling/fleet/src/olderProgram.ts"
import type { Place } from "../../../../tooling/fleet/src/trials.ts"
import { startAt, upgrade } from "../../../../tooling/fleet/src/upgrade.ts"
import { program } from "../runCli.ts"

const INTERVAL_MS = 1000

describe.skipIf(!isInstalled)("an upgrade of a fleet", () => {
  let older: OlderProgram
  let world: World
  let fleet: Fleet
  beforeAll(async () => {
    older = buildOlderProgram()
    world = await startWorld(60, 5, 7000)
    fleet = await makeFleet(program, world.targets, { intervalMs: INTERVAL_MS })
  })
  afterAll(async () => {
    await fleet.stop()
    await world.stop()
    older.remove()
  })

  it("loses no change, stores no change twice, and causes no errors about the database schema", async () => {
    const place: Place = { fleet, intervalMs: INTERVAL_MS, askers: 1, runners: [], world }
    for (const name of [0, 1]) place.runners.push(await startAt(fleet, name, older.command))
    beginAudit(fleet.postgres.url())
    const { complaints, steps, ...outcome } = await upgrade(place)
    expect(steps[1]).toBeGreaterThan(steps[0])
    expect(outcome).toMatchObject({ foreignWrites: 0, brokenChains: 0 })
    // The test rejects only errors about the database schema. Errors that do not concern the schema can occur, for example if a transaction
    // takes too long on a busy machine.
    expect(complaints.filter((line) => /\b(column|relation|constraint|plan|type)\b/.test(line))).toEqual([])
    expect(outcome.changes).toBeGreaterThan(0)
  })
})
