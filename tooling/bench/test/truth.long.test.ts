/** A monitor's figures beside the truth, for a minute; `pnpm bench monitor --parts truth` is the long one. */
import { expect, it } from "vitest"
import { measureTruth } from "../monitor/truth.ts"

it(
  "the figures agree with the schedule of the servers, also when the monitor is killed and frozen",
  { timeout: 300_000 },
  async () => {
    const truth = await measureTruth({
      servers: 40,
      durationMs: 70_000,
      intervalMs: 1500,
      seed: 7,
      slowMs: 600,
      timeoutMs: 1400,
      // Two loaded processors are late by seconds.
      slackMs: 3000,
      killedMs: 3000,
      frozenMs: 5000
    })
    expect(truth.wrong).toEqual({ availability: [], falseDown: [], recovery: [], missed: [], changes: [] })
    expect([truth.lostEvents, truth.doubleEvents]).toEqual([0, 0])
    expect([truth.outages > 10, truth.steps > 10]).toEqual([true, true])
  }
)
