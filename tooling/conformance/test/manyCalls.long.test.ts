/** Checks that each of ten thousand simultaneous calls to a farm of servers gets a reply, even with few file descriptors. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runtimes } from "../src/runtimes.ts"
import { type RespondingFarm, startRespondingFarm, withDescriptors } from "./respondingFarm.ts"

const SERVERS = 10_000
/** A long timeout for busy machines. On an idle machine, all calls together take two seconds. The default timeout is three seconds. */
const [TIMEOUT_MS, PATIENCE_MS] = [20_000, 180_000]

/** An address that depends on the process, so that two simultaneous test runs do not interfere. */
const ADDRESS = `127.98.${(process.pid >> 8) & 255}.${process.pid & 255}`

let farm: RespondingFarm
beforeAll(async () => {
  farm = await startRespondingFarm(ADDRESS, SERVERS, { timeoutMs: TIMEOUT_MS })
}, PATIENCE_MS)
afterAll(() => farm[Symbol.asyncDispose]())

describe.each(runtimes)("$name", (runtime) => {
  it.each([
    ["the system's limit of file descriptors", runtime],
    ["256 file descriptors", withDescriptors(runtime, 256)],
    ["64 file descriptors", withDescriptors(runtime, 64)]
  ])(`with %s, each of ${SERVERS} simultaneous calls gets a reply`, { timeout: PATIENCE_MS }, async (_, limited) => {
    const { stderr, stdout } = await farm.ask(limited, PATIENCE_MS)
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: `begun\n{"InfoReply":${SERVERS}}\n` })
  })
})
