/**
 * Ten thousand simultaneous calls to a farm of servers get ten thousand replies, even with few file descriptors.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runtimes } from "../src/runtimes.ts"
import { type LivingFarm, livingFarm, withDescriptors } from "./livingFarm.ts"

const SERVERS = 10_000
/** For machines that have much else to do: on an idle one it takes two seconds, with the default of three for each call. */
const [TIMEOUT_MS, PATIENCE_MS] = [20_000, 180_000]

/** Of this process alone, so that two may run side by side. */
const ADDRESS = `127.98.${(process.pid >> 8) & 255}.${process.pid & 255}`

let farm: LivingFarm
beforeAll(async () => {
  farm = await livingFarm(ADDRESS, SERVERS, { timeoutMs: TIMEOUT_MS })
}, PATIENCE_MS)
afterAll(() => farm[Symbol.asyncDispose]())

describe.each(runtimes)("$name", (runtime) => {
  it.each([
    ["as many descriptors as the system gives", runtime],
    ["256 descriptors", withDescriptors(runtime, 256)],
    ["64 descriptors", withDescriptors(runtime, 64)]
  ])(`${SERVERS} calls at once with %s`, { timeout: PATIENCE_MS }, async (_, limited) => {
    const { stderr, stdout } = await farm.ask(limited, PATIENCE_MS)
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: `begun\n{"InfoReply":${SERVERS}}\n` })
  })
})
