/**
 * Further tests of the transports that support batched system calls. Such a transport also works without batched system calls, and reports
 * whether it uses them.
 */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as dgram from "node:dgram"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { batchedRuntimes, bundle, run, runtimes } from "../src/runtimes.ts"

const [SERVERS, COUNT] = [10, 200]
const isLinux = process.platform === "linux"
const scratch = await mkdtemp(join(tmpdir(), "sourcewire-batched-"))
const program = join(scratch, "batchedScan.mjs")

beforeAll(() => bundle(fileURLToPath(new URL("../src/batchedScan.ts", import.meta.url)), program))
afterAll(() => rm(scratch, { recursive: true }))

/** For each runtime that does not batch system calls by default: the reason that the transport reports on this runtime. */
const REASONS: Readonly<Record<string, RegExp>> = {
  "Node 22": /Node runs without --experimental-ffi/,
  "Node 24": /Node runs without --experimental-ffi/,
  Deno: /Deno runs without --allow-ffi/
}

const cases = [
  ...batchedRuntimes.map((runtime) => ({ name: runtime.name, runtime, why: undefined })),
  ...runtimes.flatMap((runtime) =>
    REASONS[runtime.name] === undefined
      ? []
      : [
          {
            name: `${runtime.name}, plain`,
            runtime,
            why: isLinux ? REASONS[runtime.name] : /^Batched system calls are/
          }
        ]
  )
]

it.each(cases)(
  "$name: a scan works, queued datagrams are sent when the socket is closed, and the transport reports whether it can batch system calls",
  async ({ runtime, why }) => {
    await using closing = new AsyncDisposableStack()
    const addresses: Array<string> = []
    for (let i = 0; i < SERVERS; i++) {
      const server = closing.use(await startServer({ transport: layer, profile: "tf2" }))
      addresses.push(`127.0.0.1:${server.port}`)
    }
    const counter = dgram.createSocket("udp4")
    const arrived: Array<number> = []
    const all = new Promise<void>((resolve) => {
      counter.on("message", ([number]) => {
        if (arrived.push(number!) === COUNT) resolve()
      })
    })
    counter.bind(0, "127.0.0.1")
    await once(counter, "listening")
    const args = [program, addresses.join(","), String(counter.address().port), String(COUNT)]
    const { status, stderr, stdout } = await run(runtime, args, 30_000)
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    await all
    counter.close()
    expect(arrived).toEqual(Array.from({ length: COUNT }, (_, i) => i))
    const report = JSON.parse(stdout) as { unavailable?: string; names: Array<string>; receiveBufferBytes?: number }
    expect(report.names.length).toBe(SERVERS)
    if (why === undefined) {
      expect(report.unavailable).toBeUndefined()
      // Bun and Deno cannot set the size of the receive buffer themselves. If the size has changed, our code has found the file descriptor
      // of the socket and has set the size. Linux reports twice the size that was set.
      expect(report.receiveBufferBytes).toBe(2 * 65_536)
    } else expect(report.unavailable).toMatch(why)
  }
)
