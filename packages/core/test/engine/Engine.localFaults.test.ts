import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { SocketFault } from "../../src/engine/Datagrams.ts"
import { LOCAL_RETRY_MS } from "../../src/Limits.ts"
import { A, setUp } from "../memoryEngine.ts"
import * as messages from "../messages.ts"

describe("transmission errors of this host", () => {
  const LOCAL: SocketFault = { kind: "local", message: "This machine could not send.", code: "ENETUNREACH" }

  it("do not cause a timeout: the datagram is sent again, and the round-trip time is measured from the successful transmission", () => {
    const { answer, ask, sent, socket, timing } = setUp()
    const query = ask(A)
    for (let at = 0; at < 2000; at += LOCAL_RETRY_MS) {
      expect(sent).toHaveLength(1 + at / LOCAL_RETRY_MS)
      socket.onFault({ ...LOCAL, peer: A })
      timing.advance(LOCAL_RETRY_MS)
    }
    // The last datagram was sent without an error. `sent` does not include the datagrams that could not be sent.
    timing.advance(40)
    answer(A)
    expect(query.ended).toBe(1)
    expect(query.exchange).toMatchObject({ sent: 1, repeated: false, rtt: { rttMs: 40 } })
    expect(timing.timers.size).toBe(0)
  })

  it("do not shorten the time limit of the query", () => {
    const { ask, socket, timing } = setUp()
    const query = ask(A)
    timing.advance(10)
    for (let i = 0; i < 10; i++) {
      socket.onFault({ ...LOCAL, peer: A })
      timing.advance(LOCAL_RETRY_MS)
    }
    timing.advance(3000 - 11)
    expect(query.ended).toBe(0)
    timing.advance(1)
    const { result } = query.exchange
    expect(Result.isFailure(result!) && result.failure).toMatchObject({ _tag: "Timeout" })
  })

  it("end the query with SendFailed if they last as long as the time limit", () => {
    const { ask, engine, sent, socket, timing } = setUp()
    const query = ask(A)
    while (query.ended === 0 && timing.time < 10_000) {
      socket.onFault({ ...LOCAL, peer: A })
      timing.advance(LOCAL_RETRY_MS)
    }
    expect(timing.time).toBe(3000)
    expect(sent).toHaveLength(30)
    expect(Result.isFailure(query.exchange.result!) && query.exchange.result.failure).toMatchObject({
      _tag: "SendFailed",
      code: "ENETUNREACH",
      message: LOCAL.message
    })
    expect(engine.inFlight).toBe(0)
  })

  it("do not affect the reply to a datagram that was sent before the error", () => {
    const { answer, answerWith, ask, sent, socket, timing } = setUp()
    const query = ask(A)
    timing.advance(300)
    expect(sent).toHaveLength(2)
    socket.onFault({ ...LOCAL, peer: A })
    timing.advance(10)
    answerWith(A, messages.challengeHex("01020304"))
    expect(sent).toHaveLength(3)
    timing.advance(10)
    answer(A)
    expect(query.ended).toBe(1)
  })

  it("do not cause another transmission if a reply arrives before the next attempt", () => {
    const { answerWith, ask, sent, socket, timing } = setUp()
    const query = ask(A)
    timing.advance(300)
    socket.onFault({ ...LOCAL, peer: A })
    timing.advance(10)
    // After this reply in the old dialect, the query waits for a short time for the reply in the new dialect. The query does not send the
    // failed datagram again.
    answerWith(A, messages.LEGACY)
    timing.advance(3000)
    expect(sent).toHaveLength(2)
    expect(query.exchange.result).toMatchObject({ success: messages.legacyReply })
  })

  it("have no effect after the query has ended", () => {
    const { answer, ask, engine, socket, timing } = setUp()
    ask(A)
    answer(A)
    socket.onFault({ ...LOCAL, peer: A })
    socket.onFault(LOCAL)
    expect(timing.timers.size).toBe(0)
    expect(engine.inFlight).toBe(0)
  })

  it("do not prevent the next transmission if an unexpected reply arrives before it", () => {
    const { answerWith, ask, sent, socket, timing } = setUp()
    const query = ask(A)
    socket.onFault({ ...LOCAL, peer: A })
    timing.advance(LOCAL_RETRY_MS / 2)
    answerWith(A, messages.PLAYERS)
    timing.advance(LOCAL_RETRY_MS / 2)
    expect(sent).toHaveLength(2)
    expect(query.ended).toBe(0)
  })
})
