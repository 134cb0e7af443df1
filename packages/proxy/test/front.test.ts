import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandler, OpenOptions } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { openFront } from "../src/front.ts"

/** Opens the front of a proxy, which receives the datagrams of clients. The test controls the socket. */
const openTestFront = (countDropped?: () => number) =>
  Effect.gen(function* () {
    const sent: Array<readonly [bytes: number, address: string, port: number]> = []
    const opened: Array<OpenOptions> = []
    const handlers: Array<DatagramHandler> = []
    const datagrams: typeof Datagrams.Service = {
      open: (options, handler) =>
        Effect.sync(() => {
          opened.push(options)
          handlers.push(handler)
          return {
            local: options.bind!,
            send: (bytes, address, port) => void sent.push([bytes.length, address, port]),
            ...(countDropped === undefined ? {} : { countDropped })
          }
        }),
      resolve: () => Effect.die("not used")
    }
    const front = yield* openFront("192.0.2.1", 27_015).pipe(Effect.provideService(Datagrams, datagrams))
    return { front, handler: handlers[0]!, options: opened[0]!, sent }
  })

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))

describe("the front of a proxy", () => {
  it.effect("listens on the configured address, with a large receive buffer", () =>
    Effect.gen(function* () {
      const { options } = yield* Effect.scoped(openTestFront())
      assert.deepInclude(options, {
        family: 4,
        bind: { address: "192.0.2.1", port: 27_015 },
        keepsProcessAlive: true
      })
      assert.isAtLeast(options.receiveBufferBytes ?? 0, 8 * 1024 * 1024)
    })
  )

  it.effect("counts datagrams, and forwards queries but no other datagrams", () =>
    Effect.gen(function* () {
      const { front, handler, sent } = yield* Effect.scoped(openTestFront())
      const passedOn: Array<string> = []
      front.answering = {
        respond: (datagram) => {
          passedOn.push(String.fromCharCode(datagram[4]!))
          return datagram[4] === 0x55 ? [new Uint8Array(7), new Uint8Array(8)] : []
        }
      }
      for (const text of ["", "\xff\xff\xff\xff", "junk", "\xff\xff\xff\xffdetails", "\xff\xff\xff\xffip"]) {
        handler.onDatagram(bytes(text), "192.0.2.7", 50_000)
      }
      for (const type of ["T", "U", "V", "W", "i"]) {
        handler.onDatagram(bytes(`\xff\xff\xff\xff${type}`), "192.0.2.7", 50_000)
      }
      handler.onFault({ kind: "failed", message: "a fault" })
      assert.deepEqual(passedOn, ["T", "U", "V", "W", "i"])
      assert.deepEqual(sent, [
        [7, "192.0.2.7", 50_000],
        [8, "192.0.2.7", 50_000]
      ])
      assert.deepEqual(front.counters(), {
        requests: { info: 1, players: 1, rules: 1, ping: 1, getChallenge: 1, other: 5 },
        replies: 2,
        bytesIn: 50,
        bytesOut: 15,
        unanswered: 9,
        socketFaults: 1
      })
    })
  )

  it.effect("reports the number of datagrams that the operating system dropped, if the system counts them", () =>
    Effect.gen(function* () {
      let dropped = 3
      const { front } = yield* Effect.scoped(openTestFront(() => dropped))
      const before = front.counters()
      dropped = 5
      assert.deepEqual([before.dropped, front.counters().dropped], [3, 5])
    })
  )
})
