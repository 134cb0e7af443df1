/** Conversations for tests, from recordings of real servers and from messages that the tests build. */
import { readFileSync } from "node:fs"
import { type Message, encode, fromHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { DiagnosedDatagram, Finding } from "../src/index.ts"
import { diagnose } from "../src/index.ts"

interface Recording {
  readonly exchanges: ReadonlyArray<{
    readonly name: string
    readonly request_hex: string
    readonly replies: ReadonlyArray<{ readonly hex: string }>
  }>
}

const recordings = new URL("../../core/test/fixtures/recordings/", import.meta.url)

/** Returns the datagrams of a recorded exchange with a real server: first the request, then the replies. */
export const recorded = (server: "xash3d" | "hltv" | "cacher" | "rehlds", name: string): ReadonlyArray<Uint8Array> => {
  const { exchanges } = JSON.parse(readFileSync(new URL(`${server}.json`, recordings), "utf8")) as Recording
  const exchange = exchanges.find((one) => one.name === name)
  if (exchange === undefined) throw new Error(`${server} has no exchange "${name}"`)
  return [exchange.request_hex, ...exchange.replies.map(({ hex }) => hex)].map((hex) => fromHex(hex)!)
}

export const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))

export const hex = (text: string): Uint8Array => fromHex(text.replaceAll(" ", ""))!

export const CLIENT = "198.51.100.9:50000"
export const SERVER = "192.0.2.1:27015"

/** A datagram from the client. */
export const sent = (timeMs: number, bytes: Uint8Array, to = SERVER): DiagnosedDatagram => ({
  bytes,
  timeMs,
  from: CLIENT,
  to
})

/** A datagram from the server. */
export const received = (timeMs: number, bytes: Uint8Array, from = SERVER): DiagnosedDatagram => ({
  bytes,
  timeMs,
  from,
  to: CLIENT
})

/** Returns a conversation: the client sends a request at `timeMs`, and the server sends all replies 20 ms later. */
export const exchange = ([request, ...replies]: ReadonlyArray<Uint8Array>, timeMs = 0) => [
  sent(timeMs, request!),
  ...replies.map((reply) => received(timeMs + 20, reply))
]

export const listFindings = (datagrams: ReadonlyArray<DiagnosedDatagram>): ReadonlyArray<Finding> =>
  diagnose(datagrams).flatMap(({ findings }) => findings)

export const listKinds = (datagrams: ReadonlyArray<DiagnosedDatagram>): ReadonlyArray<string> =>
  listFindings(datagrams).map(({ kind }) => kind)
