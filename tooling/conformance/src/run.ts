/**
 * Runs the conformance suite on the runtime that runs this program, with that runtime's own transport: one line of JSON per result.
 * It ends by itself, or something was left open.
 *
 * @module
 */
import { runConformance } from "@sourcewire/server/conformance"
import * as Layer from "effect/Layer"
import { loadTransport, runtimeName } from "./transport.ts"

const { connect, datagrams, streams } = await loadTransport()
const subject = { transport: Layer.merge(datagrams, streams), reportsClosedPorts: runtimeName !== "deno" }
for await (const result of runConformance(subject)) console.log(JSON.stringify(result))

// Never closed: a client that was forgotten must not keep the program from ending.
const forgotten = await connect()
await forgotten.info("127.0.0.1:1", { timeoutMs: 100 }).catch(() => {})
