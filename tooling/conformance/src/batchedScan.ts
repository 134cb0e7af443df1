/**
 * This program scans servers, and uses batched system calls if they are available. It then queues datagrams on a socket and immediately
 * closes this socket. It prints its results as one line of JSON.
 *
 *     batchedScan <game server>,<game server>… <port that counts the datagrams> <number of datagrams>
 */
import { Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { loadBatching, loadTransport } from "./transport.ts"

const [servers, port, count] = process.argv.slice(2) as [string, string, string]
const { scan } = await loadTransport()
const { transport, unavailable } = await loadBatching(true)

const names: Array<string> = []
for await (const result of scan(servers.split(","))) {
  if (result._tag === "Answered") names.push(result.info.name)
}

const receiveBufferBytes = await Effect.runPromise(
  Effect.gen(function* () {
    const { open } = yield* Datagrams
    const socket = yield* open({ family: 4, receiveBufferBytes: 65_536 }, { onDatagram: () => {}, onFault: () => {} })
    for (let i = 0; i < Number(count); i++) socket.send(Uint8Array.of(i), "127.0.0.1", Number(port))
    return socket.receiveBufferBytes
  }).pipe(Effect.scoped, Effect.provide(transport))
)
console.log(JSON.stringify({ unavailable, names, receiveBufferBytes }))
