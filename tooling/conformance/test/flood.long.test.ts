/** Queries a server that floods its clients, and a silent server. The flood must not delay the end of either query. */
import { once } from "node:events"
import { createSocket } from "node:dgram"
import { afterAll, beforeAll, expect, it } from "vitest"
import { run, runtimes } from "../src/runtimes.ts"
import { startProgram, bundled } from "./respondingFarm.ts"

const TIMEOUT_MS = 1000
/** Duration of the flood, in ms. The flood lasts longer than the queries take on a slow machine. */
const FLOOD_MS = 15_000

const world = new AsyncDisposableStack()
const silent = createSocket("udp4")
let [program, flooding] = ["", ""]

beforeAll(async () => {
  program = world.use(await bundled(new URL("../src/flooded.ts", import.meta.url))).path
  silent.bind(0, "127.0.0.1")
  await once(silent, "listening")
  world.defer(() => void silent.close())
})
afterAll(() => world.disposeAsync())

it.each(runtimes)(
  "on $name, a query of the flooding server and a query of a silent server end long before the flood ends",
  { timeout: 60_000 },
  async (runtime) => {
    using server = await startProgram(new URL("../src/flood.ts", import.meta.url), [String(FLOOD_MS)])
    flooding = `127.0.0.1:${server.firstOutput}`
    const args = [program, flooding, `127.0.0.1:${silent.address().port}`, String(TIMEOUT_MS)]
    const { stderr, stdout } = await run(runtime, args, 50_000)
    expect(stderr).toBe("")
    const { outcomes, received } = JSON.parse(stdout) as {
      readonly outcomes: ReadonlyArray<{ readonly ended: string; readonly tookMs: number }>
      readonly received: number
    }
    const [flooded, waiting] = outcomes.map(({ ended }) => ended)
    // Usually, the client reads so many wrong datagrams that the query fails before the timeout. A slow client may read only few of these
    // datagrams, and the query then ends with a Timeout.
    expect(["LimitExceeded", "UnexpectedReply", "Timeout"]).toContain(flooded)
    expect(waiting).toBe("Timeout")
    for (const { tookMs } of outcomes) expect(tookMs).toBeLessThan(FLOOD_MS / 3)
    // The number of received datagrams proves that the server flooded the client.
    expect(received).toBeGreaterThan(1000)
  }
)
