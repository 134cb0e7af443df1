/** A game server on a network in memory: as little as the client's own tests need. */
import { fromHex, toHex } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type { DatagramHandle, Endpoint } from "../src/engine/Datagrams.ts"
import type { MemoryNetwork } from "../src/testing/Testing.ts"

/** Where it stands unless told otherwise. */
export const SERVER: Endpoint = { address: "127.0.0.1", port: 27_015 }

/** Answers each request with datagrams, all in hex, for the life of the scope. */
export const serve = (
  network: MemoryNetwork,
  answer: (request: string, from: Endpoint) => ReadonlyArray<string>,
  bind: Endpoint = SERVER
) =>
  Effect.suspend(() => {
    let handle: DatagramHandle | undefined
    return Effect.map(
      network.datagrams.open(
        { family: bind.address.includes(":") ? 6 : 4, bind },
        {
          onDatagram: (bytes, address, port) => {
            for (const hex of answer(toHex(bytes), { address, port })) handle?.send(fromHex(hex)!, address, port)
          },
          onFault: () => undefined
        }
      ),
      (opened) => {
        handle = opened
      }
    )
  })
