/**
 * Compares the records of a monitor with the schedule of the monitored servers. To run the schedule for 20 minutes, set
 * `SCHEDULE_MINUTES=20`.
 */
import { expect, it } from "vitest"
import { measureFigures } from "./schedule/measure.ts"

const minutes = Number(process.env["SCHEDULE_MINUTES"] ?? 70 / 60)

it(
  "a monitor reports the scheduled outages and changes of its servers correctly, even if the monitor is killed and frozen",
  { timeout: 230_000 + minutes * 60_000 },
  async () => {
    const { doubleEvents, lostEvents, outages, steps, wrong } = await measureFigures({
      servers: 40,
      durationMs: minutes * 60_000,
      intervalMs: 1500,
      seed: 7,
      slowMs: 600,
      timeoutMs: 1400,
      // On a machine with two busy processors, queries can be several seconds late.
      slackMs: 3000,
      killedMs: 3000,
      frozenMs: 5000
    })
    expect(wrong).toEqual({ availability: [], falseDown: [], recovery: [], missed: [], changes: [] })
    expect([lostEvents, doubleEvents]).toEqual([0, 0])
    expect([outages > 10, steps > 10]).toEqual([true, true])
  }
)
