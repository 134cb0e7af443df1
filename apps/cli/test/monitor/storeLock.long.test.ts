/**
 * Tests two monitors on the same Postgres database. If the monitors do not share the targets, the second monitor either is rejected or
 * replaces the first monitor.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInstalled, makePostgres, type Postgres } from "../../../../tooling/fleet/src/fleet.ts"
import { run, start } from "../runCli.ts"

describe.skipIf(!isInstalled)("a second monitor on the same Postgres database", () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await makePostgres()
    await postgres.start()
  })
  afterAll(() => postgres.remove())

  const args = (...more: ReadonlyArray<string>) => [
    "monitor",
    "127.0.0.1:1",
    "--json",
    "--bind",
    "127.0.0.1:0",
    "--interval",
    "1s",
    "--store",
    postgres.url(),
    ...more
  ]

  const started = async (...more: ReadonlyArray<string>) => {
    const running = start(args(...more))
    await running.printed("\n")
    return running
  }

  it("is rejected without --takeover; with --takeover, it replaces the first monitor", async () => {
    const first = await started()
    for (const more of [[], ["--join"]]) {
      const refused = await run(args(...more))
      expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
      expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
        new RegExp(
          `Process \\S+:${first.child.pid}, started at \\d{4}-\\d\\d-\\d\\dT.*Z, uses the store in this Postgres database.*--takeover`
        )
      )
    }
    expect(first.child.exitCode).toBe(null)
    const second = await started("--takeover")
    expect((await first.ended).stderr).toContain("Another monitor has opened this store")
    second.child.kill("SIGTERM")
    expect((await second.ended).exitCode).toBe(0)
  }, 120_000)

  it("shares the targets if both monitors use --join, and is rejected without --join", async () => {
    const running = [await started("--join", "--name", "one"), await started("--join", "--name", "two")]
    const refused = await run(args())
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
      /The instance (one|two):\d+, .* add --join to share its targets/
    )
    expect(refused.exitCode).toBe(1)
    for (const { child, ended } of running) {
      expect(child.exitCode).toBe(null)
      child.kill("SIGTERM")
      expect((await ended).exitCode).toBe(0)
    }
  }, 120_000)
})
