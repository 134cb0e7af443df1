/**
 * Runs the conformance suite on the runtime that runs this program, with that runtime's own transport, or with its batched one: one
 * line of JSON per result. It ends by itself, or something was left open.
 *
 *     run [batched]
 *
 * @module
 */
import { runConformance } from "@sourcewire/emulator/conformance"
import * as Layer from "effect/Layer"
import { loadBatched, loadTransport, runtimeName } from "./transport.ts"

const isBatched = process.argv[2] === "batched"
const { connect, datagrams, streams, unavailable } = await (isBatched ? loadBatched() : loadTransport())
if (unavailable !== undefined) throw new Error(unavailable)
const subject = { transport: Layer.merge(datagrams, streams), reportsClosedPorts: runtimeName !== "deno" }
for await (const result of runConformance(subject)) console.log(JSON.stringify(result))

// Never closed: a client that was forgotten must not keep the program from ending.
const forgotten = await connect()
await forgotten.info("127.0.0.1:1", { timeoutMs: 100 }).catch(() => {})
