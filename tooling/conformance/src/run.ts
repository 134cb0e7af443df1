/**
 * Runs the conformance suite on the runtime that runs this program, with that runtime's own transport, with batched system calls or
 * without: one line of JSON per result. It ends by itself, or something was left open.
 *
 *     run [batched]
 */
import { runConformance } from "@sourcewire/emulator/conformance"
import { loadBatching, loadTransport, runtimeName } from "./transport.ts"

const { transport, unavailable } = await loadBatching(process.argv[2] === "batched")
if (unavailable !== undefined) throw new Error(unavailable)
const subject = { transport, reportsClosedPorts: runtimeName !== "deno" }
for await (const result of runConformance(subject)) console.log(JSON.stringify(result))

// Never closed: a client that was forgotten must not keep the program from ending.
const { connect } = await loadTransport()
const forgotten = await connect()
await forgotten.info("127.0.0.1:1", { timeoutMs: 100 }).catch(() => {})
