/** A small fleet in virtual time. `pnpm bench fleet-simulation` simulates a larger fleet. */
import { describe, expect, it } from "vitest"
import { simulate, type SimulationOptions } from "./simulation/simulate.ts"

const small: SimulationOptions = { seed: 5, targets: 600, runners: 3, intervalMs: 10_000, sees: "all" }

/**
 * The tests need much CPU time, so they are slow if other programs use the CPU. Therefore this timeout is much longer than the duration of
 * a test on an idle machine.
 */
const timeout = 600_000

describe("a fleet in virtual time", { timeout }, () => {
  it("passes all checks of the simulation, even if instances are killed or stopped (20 000 servers, 8 runners)", async () => {
    const { broken, phases } = await simulate({
      seed: 1,
      targets: 20_000,
      runners: 8,
      intervalMs: 60_000,
      sees: "claimed",
      recoveryIntervals: 1.1,
      phases: ["kill", "stop"]
    })
    expect(broken).toEqual([])
    expect(phases.map(({ name }) => name)).toEqual(["start", "kill", "stop"])
  })

  it("queries at most 0.1 % of the servers twice when an instance joins", async () => {
    const options = { seed: 1, targets: 20_000, runners: 8, intervalMs: 15_000, sees: "claimed" } as const
    const { broken, phases } = await simulate({ ...options, recoveryIntervals: 1.1, phases: ["join"] })
    expect(broken).toEqual([])
    expect(phases.find(({ name }) => name === "join")!.twice / options.targets).toBeLessThanOrEqual(0.001)
  })

  it("stores each change of a server once, even if another instance claims the server's slice during the write", async () => {
    const options = { seed: 15, targets: 1000, runners: 6, intervalMs: 10_000, sees: "claimed" } as const
    expect((await simulate({ ...options, phases: ["stop", "cut", "restart"] })).broken).toEqual([])
  })

  it("has the same outcome when it is simulated again with the same seed", async () => {
    const options = { ...small, phases: ["power"] }
    expect(await simulate(options)).toEqual(await simulate(options))
  })

  it("the simulation reports an error if the store does not reject the writes of the previous owner of a slice", async () => {
    const options = { ...small, phases: ["stop"] }
    expect((await simulate(options)).broken).toEqual([])
    expect((await simulate({ ...options, without: "fencing" })).broken.join()).toMatch(
      /stop: \d+ rows were written by instances that do not own/
    )
  })

  it("the simulation reports an error if instances have no time limit for the replies of the database", async () => {
    const options = { ...small, phases: ["cut"] }
    expect((await simulate(options)).broken).toEqual([])
    expect((await simulate({ ...options, without: "deadline" })).broken.join()).toMatch(
      /cut: \d+ of \d+ queries were repeated in a round/
    )
  })

  it("the simulation reports an error if an instance stops its queries as soon as it loses a lock", async () => {
    const options = { ...small, phases: ["away"] }
    expect((await simulate(options)).broken).toEqual([])
    expect((await simulate({ ...options, without: "grace" })).broken.join()).toMatch(
      /away: a server was queried \d+ ms late/
    )
  })
})
