/** Tests that apply to every kind of exchange. */
import { encode } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Exchange, ExchangeSettings } from "../../src/engine/Exchange.ts"
import { Step } from "../../src/engine/Exchange.ts"
import { HandshakeExchange } from "../../src/handshake/HandshakeExchange.ts"
import { MasterPageExchange } from "../../src/master/MasterPageExchange.ts"
import { MasterPaging } from "../../src/master/MasterPaging.ts"
import * as Query from "../../src/query/Query.ts"
import { PortClosed } from "../../src/engine/QueryError.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"

const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))
const settings: ExchangeSettings = { timeoutMs: 3000, retries: 2, encoding: "auto", random: () => 0.5 }

/** Each kind of exchange, and a reply that ends the exchange. */
const kinds: ReadonlyArray<readonly [name: string, make: () => Exchange<unknown>, answer: Uint8Array]> = [
  ["a query", () => new QueryExchange(Query.info, settings), parseHex(messages.INFO)],
  [
    "a handshake",
    () => new HandshakeExchange(7, settings, undefined, "source"),
    bytes({
      _tag: "HandshakeChallenge",
      serverChallenge: 1,
      clientChallenge: 7,
      authProtocol: 2
    })
  ],
  [
    "an exchange for a master's page",
    () =>
      new MasterPageExchange(
        bytes({ _tag: "MasterRequest", region: 255, seed: "0.0.0.0:0", filter: "" }),
        new MasterPaging({ maxServers: 100, maxPages: 10 }),
        settings
      ),
    bytes({ _tag: "MasterReply", servers: ["192.0.2.1:27015"], complete: false })
  ]
]
const portClosed = new PortClosed({ message: "gone" })

describe.each(kinds)("%s", (_, make, answer) => {
  const start = () => {
    const exchange = make()
    expect(exchange.start(0)).toBe(Step.Send)
    return exchange
  }

  it("ends after a reply, and then sends and accepts nothing", () => {
    const exchange = start()
    expect(exchange.receive(answer, 10)).toBe(Step.Done)
    const { result } = exchange
    expect(result).toBeDefined()
    expect(exchange.deadline).toBe(Number.POSITIVE_INFINITY)
    expect(exchange.receive(answer, 20)).toBe(Step.Done)
    expect(exchange.receive(parseHex(messages.BANNED), 20)).toBe(Step.Done)
    expect(exchange.expire(99_999)).toBe(Step.Done)
    expect(exchange.fail(portClosed)).toBe(Step.Done)
    expect(exchange.result).toBe(result)
    expect(exchange.deadline).toBe(Number.POSITIVE_INFINITY)
  })

  it("ends with the error that the engine reports", () => {
    const exchange = start()
    expect(exchange.fail(portClosed)).toBe(Step.Done)
    expect(Result.getOrThrow(Result.flip(exchange.result!))).toBe(portClosed)
    expect(exchange.deadline).toBe(Number.POSITIVE_INFINITY)
    expect(exchange.receive(answer, 10)).toBe(Step.Done)
    expect(Result.isFailure(exchange.result!)).toBe(true)
  })

  it("ends with Refused if the server rejects the request", () => {
    const exchange = start()
    expect(exchange.receive(parseHex(messages.BANNED), 10)).toBe(Step.Done)
    expect(Result.getOrThrow(Result.flip(exchange.result!))._tag).toBe("Refused")
  })

  it("counts the datagrams that have no reply yet", () => {
    const exchange = start()
    expect(exchange.outstanding).toBe(1)
    expect(exchange.expire(exchange.deadline)).toBe(Step.Send)
    expect(exchange.outstanding).toBe(2)
    exchange.receive(answer, exchange.deadline - 1)
    expect(exchange.outstanding).toBe(1)
  })

  it("ignores malformed datagrams", () => {
    for (const noise of ["", "ff", "ffffff", "ffffffff", "00ffffff66", "ff00ffff66", "ffff00ff66", "ffffff0066"]) {
      const exchange = start()
      const { deadline } = exchange
      expect(exchange.receive(parseHex(noise), 10)).toBe(Step.Wait)
      expect([exchange.result, exchange.deadline]).toEqual([undefined, deadline])
    }
  })

  it("retransmits as often as configured, and then times out", () => {
    const exchange = start()
    const steps = []
    while (exchange.result === undefined) steps.push([exchange.deadline, exchange.expire(exchange.deadline)])
    expect(steps.map(([, step]) => step)).toEqual([Step.Send, Step.Send, Step.Wait, Step.Done])
    expect(steps.at(-1)![0]).toBe(3000)
    expect(Result.getOrThrow(Result.flip(exchange.result!))).toMatchObject({ _tag: "Timeout", phase: "request" })
  })
})
