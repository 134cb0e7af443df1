/**
 * Runs the conformance suite with a transport, on the runtime that runs this program. Prints one line of JSON per result. If the process
 * does not exit, the suite left a resource open.
 *
 *     run bun|deno|node [batched|main]
 *
 * With `batched`, sockets use batched system calls. With `main`, the module calls its main function, but does not await it, like most
 * programs. The runtime then exits as soon as no open resource keeps it running, even if the main function still awaits a promise. The
 * cases run one by one, without the timers of the suite, which would also keep the runtime running.
 */
import { conformanceCases, runConformance } from "@sourcewire/emulator/conformance"
import { loadBatching, loadTransport, type TransportName } from "./transport.ts"

const runtime = process.argv[2] as TransportName
const style = process.argv[3]

const main = async (): Promise<void> => {
  const { transport, unavailable } = await loadBatching(style === "batched", runtime)
  if (unavailable !== undefined) throw new Error(unavailable)
  const subject = { transport, reportsClosedPorts: runtime !== "deno" }
  if (style === "main") {
    for (const { group, name, run } of conformanceCases) {
      await run(subject)
      console.log(JSON.stringify({ group, name }))
    }
  } else {
    for await (const result of runConformance(subject)) console.log(JSON.stringify(result))
  }

  // The program intentionally does not close this client. An open client must not keep the program running.
  const { connect } = await loadTransport(runtime)
  const forgotten = await connect()
  await forgotten.info("127.0.0.1:1", { timeoutMs: 100 }).catch(() => {})
  console.log("The end was reached.")
}

if (style === "main") void main()
else await main()
