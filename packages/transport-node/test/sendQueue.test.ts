/**
 * Tests the send queue, which stores datagrams while the system does not accept them. On loopback, the system accepts all datagrams, and
 * Node sends them immediately. Therefore the test uses a flag that exists for Node's own tests. With this flag, Node queues the datagrams
 * of one turn of the event loop, and sends them in the next turn.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

// The datagrams are too large to be sent, so each queued datagram causes one fault. A dropped datagram causes no fault. Therefore the
// number of faults is the number of datagrams that were queued.
const program = `
  import { Datagrams } from "@sourcewire/core/transport"
  import { layer } from "@sourcewire/transport-node/effect"
  import * as Effect from "effect/Effect"
  const faults = []
  let arrived
  const arrival = new Promise((resolve) => (arrived = resolve))
  const handler = { onDatagram: arrived, onFault: ({ code }) => faults.push(code) }
  const flood = Effect.gen(function* () {
    const { open } = yield* Datagrams
    const socket = yield* open({ family: 4, bind: { address: "127.0.0.1", port: 0 }, keepsProcessAlive: true }, handler)
    const { address, port } = socket.local
    const bytes = new Uint8Array(65_508)
    for (let i = 0; i < 5000; i++) socket.send(bytes, address, port)
    setImmediate(() => socket.send(new Uint8Array(1), address, port))
    yield* Effect.promise(() => arrival)
    console.log(faults.length, ...new Set(faults))
  })
  await Effect.runPromise(Effect.scoped(flood).pipe(Effect.provide(layer)))
`

it("if the system does not accept datagrams, the send queue stores 4096 datagrams and drops the rest; a later datagram is sent normally", async () => {
  const cwd = new URL("..", import.meta.url)
  const args = ["--test-udp-no-try-send", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 20_000 })
  expect(stdout).toBe("4096 EMSGSIZE\n")
})
