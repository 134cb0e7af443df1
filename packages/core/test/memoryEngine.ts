/** An engine with a manual clock and one socket. The socket records the datagrams that it sends. */
import type { DatagramHandle, Endpoint } from "../src/engine/Datagrams.ts"
import { CallbackRequest } from "../src/engine/CallbackRequest.ts"
import type { EngineOptions } from "../src/engine/Engine.ts"
import { Engine } from "../src/engine/Engine.ts"
import type { RoundTrip } from "../src/engine/Retry.ts"
import * as Query from "../src/query/Query.ts"
import { QueryExchange } from "../src/query/QueryExchange.ts"
import { parseHex } from "./drive.ts"
import { ManualTiming } from "./manualTiming.ts"
import * as messages from "./messages.ts"

export const A: Endpoint = { address: "127.0.0.1", port: 27015 }
export const B: Endpoint = { address: "127.0.0.1", port: 27016 }

export const setUp = (options?: Omit<EngineOptions, "timing">) => {
  const timing = new ManualTiming()
  const engine = new Engine({ timing, ...options })
  const socket = engine.socket()
  const sent: Array<{ readonly at: number; readonly port: number }> = []
  const handle: DatagramHandle = {
    local: { address: "127.0.0.1", port: 50_000 },
    send: (_bytes, _address, port) => void sent.push({ at: timing.time, port })
  }
  socket.attach(handle)
  const ask = (remote: Endpoint, onDone: () => void = () => undefined, roundTrip?: RoundTrip) => {
    const settings = { timeoutMs: 3000, retries: 8, encoding: "auto", random: () => 0.5 } as const
    const exchange = new QueryExchange(Query.info, settings, roundTrip)
    let ended = 0
    const request = new CallbackRequest(exchange, remote.address, remote.port, () => {
      ended++
      onDone()
    })
    engine.submit(socket, request)
    return {
      exchange,
      request,
      get ended() {
        return ended
      }
    }
  }
  const answerWith = (from: Endpoint, hex: string) => socket.onDatagram(parseHex(hex), from.address, from.port)
  const answer = (from: Endpoint) => answerWith(from, messages.INFO)
  return { timing, engine, socket, sent, ask, answer, answerWith }
}
