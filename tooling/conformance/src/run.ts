/**
 * Runs the conformance suite with a transport, on the runtime that runs this program, with batched system calls or without: one line of
 * JSON per result. It ends by itself, or something was left open.
 *
 *     run bun|deno|node [batched]
 */
import { runConformance } from "@sourcewire/emulator/conformance"
import { loadBatching, loadTransport, type TransportName } from "./transport.ts"

const name = process.argv[2] as TransportName
const { transport, unavailable } = await loadBatching(process.argv[3] === "batched", name)
if (unavailable !== undefined) throw new Error(unavailable)
const subject = { transport, reportsClosedPorts: name !== "deno" }
for await (const result of runConformance(subject)) console.log(JSON.stringify(result))

// Never closed: a client that was forgotten must not keep the program from ending.
const { connect } = await loadTransport(name)
const forgotten = await connect()
await forgotten.info("127.0.0.1:1", { timeoutMs: 100 }).catch(() => {})
