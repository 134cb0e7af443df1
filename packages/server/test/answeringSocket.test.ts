/** A socket can receive datagrams before the function that opens the socket has returned, for example on a flooded port. */
import { Datagrams } from "@sourcewire/core/transport"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { openAnswering } from "../src/answeringSocket.ts"

const DATAGRAM = Uint8Array.of(1, 2, 3)

const early = Layer.succeed(
  Datagrams,
  Datagrams.of({
    resolve: () => Effect.die("not used"),
    open: ({ bind }, { onDatagram }) =>
      Effect.sync(() => {
        onDatagram(DATAGRAM, "127.0.0.1", 5)
        return { local: bind!, receiveBufferBytes: 1, sendBufferBytes: 1, send: () => {}, sendQuietly: () => {} }
      })
  })
)

it.effect("an answering socket handles a datagram that arrives while the socket is being opened", () =>
  Effect.gen(function* () {
    const { counters, send } = yield* openAnswering({ address: "127.0.0.1", port: 1 }, (bytes, address, port, send) => {
      send(bytes, address, port)
      return true
    })
    expect(counters()).toMatchObject({ requests: 1, bytesIn: 3, replies: 0, bytesOut: 0, socketFaults: 0 })
    send(DATAGRAM, "127.0.0.1", 5)
    expect(counters()).toMatchObject({ replies: 1, bytesOut: 3 })
  }).pipe(Effect.provide(early))
)
