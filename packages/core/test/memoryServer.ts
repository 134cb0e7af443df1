/** A minimal game server on a network in memory, for the tests of the client. */
import { fromHex, toHex } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type { DatagramHandle, Endpoint } from "../src/engine/Datagrams.ts"
import { timing } from "../src/engine/effectTiming.ts"
import type { MemoryNetwork } from "../src/testing/Testing.ts"

/** The default address of the server. */
export const SERVER: Endpoint = { address: "127.0.0.1", port: 27_015 }

/**
 * Starts a server. For each request, the server sends the datagrams that `answer` returns (in hex), immediately or after `delayMs`. The
 * server stops when the scope ends.
 */
export const serve = (
  network: MemoryNetwork,
  answer: (request: string, from: Endpoint) => ReadonlyArray<string>,
  bind: Endpoint = SERVER,
  delayMs = 0
) =>
  Effect.flatMap(timing, ({ schedule }) => {
    let handle: DatagramHandle | undefined
    const reply = (hex: string, address: string, port: number): void => {
      const send = (): void => handle?.send(fromHex(hex)!, address, port)
      if (delayMs === 0) send()
      else schedule(delayMs, send)
    }
    return Effect.map(
      network.datagrams.open(
        { family: bind.address.includes(":") ? 6 : 4, bind },
        {
          onDatagram: (bytes, address, port) => {
            for (const hex of answer(toHex(bytes), { address, port })) reply(hex, address, port)
          },
          onFault: () => undefined
        }
      ),
      (opened) => {
        handle = opened
      }
    )
  })
