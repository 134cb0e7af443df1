import { describe, expect, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { HandshakeExchange } from "../../src/handshake/HandshakeExchange.ts"
import { BACKOFF_FACTOR, INITIAL_RTO_MS } from "../../src/Limits.ts"
import type { ExchangeSettings } from "../../src/engine/Exchange.ts"
import { drive } from "../drive.ts"
import type { Server } from "../drive.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: 5, encoding: "auto", random: () => 0.5 }
const OURS = 0x0badf00d

const hex = (message: Message): string => toHex(Result.getOrThrow(encode(message)))
const request = (challenge: number): string => hex({ _tag: "HandshakeRequest", challenge, payload: "0000000000" })
const challenge = (challenge: number): string => hex({ _tag: "ChallengeReply", challenge })
const STEAM = { encryptionKeySize: 2, encryptionKey: "abcd", steamId: "90071996842377216", vac: true, rest: "010203" }
const handshake = (clientChallenge: number, authProtocol = 3): string =>
  hex({
    _tag: "HandshakeChallenge",
    serverChallenge: -559038737,
    clientChallenge,
    authProtocol,
    ...(authProtocol === 3 ? STEAM : {})
  })

/** Runs a handshake that uses only Source 2013's form. */
const run = (server: Server, over: Partial<ExchangeSettings> = {}, unsolicited: Parameters<typeof drive>[2] = []) =>
  drive(new HandshakeExchange(OURS, { ...settings, ...over }, undefined, "source"), server, unsolicited)

describe("the handshake of Source 2013", () => {
  it("sends the documented request and decodes the reply", () => {
    const { result, sent } = run(() => [{ hex: handshake(OURS), after: 20 }])
    expect(sent).toEqual([{ at: 0, hex: request(OURS) }])
    expect(sent[0]!.hex).toBe("ffffffff710df0ad0b3030303030303030303000")
    expect(Result.getOrThrow(result)).toEqual({
      reply: {
        _tag: "HandshakeChallenge",
        serverChallenge: -559038737,
        clientChallenge: OURS,
        authProtocol: 3,
        ...STEAM
      },
      form: "source",
      authProtocol: 3,
      authProtocolName: "steam",
      steamId: "90071996842377216",
      vac: true,
      clientChallenge: OURS,
      rttMs: 20,
      sent: 1,
      received: 1
    })
  })

  it.each([
    [1, "certificate"],
    [2, "hashed-cd-key"],
    [3, "steam"],
    [4, undefined]
  ] as const)("returns the name of authentication protocol %i: %s", (number, name) => {
    const { result } = run(() => [{ hex: handshake(OURS, number), after: 1 }])
    const answer = Result.getOrThrow(result)
    expect(answer.authProtocolName).toBe(name)
    expect(answer.reply).toMatchObject({ authProtocol: number })
  })

  it("retransmits the request at growing intervals if no reply arrives", () => {
    const { result, sent } = run((_, nth) => (nth === 3 ? [{ hex: handshake(OURS), after: 30 }] : []))
    expect(Result.getOrThrow(result)).toMatchObject({ sent: 3, received: 1, rttAmbiguous: true })
    expect(sent.map(({ at }) => at)).toEqual([0, INITIAL_RTO_MS, INITIAL_RTO_MS * (1 + BACKOFF_FACTOR)])
  })

  it("marks the round-trip time as ambiguous if the request was sent more than once", () => {
    const lost = run((_, nth) => (nth === 2 ? [{ hex: handshake(OURS), after: 30 }] : []))
    expect(Result.getOrThrow(lost.result)).toMatchObject({ rttMs: INITIAL_RTO_MS + 30, rttAmbiguous: true })
    const slow = run(() => [{ hex: handshake(OURS), after: 900 }])
    expect(Result.getOrThrow(slow.result)).toMatchObject({ rttAmbiguous: true })
  })

  it("reports an exact round-trip time after a challenge if the first request or the request with the challenge was sent only once", () => {
    const server: Server = (queried) => [{ hex: queried === request(77) ? handshake(77) : challenge(77), after: 10 }]
    for (const lost of [1, 2]) {
      const { result } = run((queried, nth, at) => (nth === lost ? [] : server(queried, nth, at)))
      expect(Result.getOrThrow(result)).toMatchObject({ rttMs: 10, sent: 3 })
      expect(Result.getOrThrow(result)).not.toHaveProperty("rttAmbiguous")
    }
  })

  it("reports an ambiguous round-trip time after a challenge if the first request and the request with the challenge were sent more than once", () => {
    const slow = run((queried) => [{ hex: queried === request(77) ? handshake(77) : challenge(77), after: 900 }])
    expect(Result.getOrThrow(slow.result)).toMatchObject({ rttMs: 900, rttAmbiguous: true })
  })

  it("fails with Timeout if the server sends no reply", () => {
    const { endedAt, result, sent } = run(() => [])
    expect(result).toMatchObject({ failure: { _tag: "Timeout", phase: "request", sent: sent.length, received: 0 } })
    expect(sent.length).toBeGreaterThan(3)
    expect(endedAt).toBe(3000)
  })

  it("sends back a plain challenge, and accepts the handshake reply that follows", () => {
    const { result, sent } = run((queried) =>
      queried === request(77) ? [{ hex: handshake(77), after: 10 }] : [{ hex: challenge(77), after: 10 }]
    )
    expect(sent.map(({ hex }) => hex)).toEqual([request(OURS), request(77)])
    expect(Result.getOrThrow(result)).toMatchObject({ clientChallenge: 77, sent: 2, received: 2, rttMs: 10 })
  })

  it("returns the plain challenge if the server sends no other reply", () => {
    const { result } = run(() => [{ hex: challenge(77), after: 10 }])
    expect(Result.getOrThrow(result)).toMatchObject({
      reply: { _tag: "ChallengeReply", challenge: 77 },
      clientChallenge: 77,
      sent: 2,
      rttMs: 10
    })
    expect(Result.getOrThrow(result)).not.toHaveProperty("rttAmbiguous")
  })

  it("accepts a plain challenge that is followed by NUL bytes", () => {
    const { result } = run(() => [{ hex: `${challenge(77)}0000`, after: 10 }])
    expect(Result.getOrThrow(result)).toMatchObject({
      reply: { _tag: "ChallengeReply", challenge: 77 },
      clientChallenge: 77
    })
  })

  it("fails with Malformed if the number in a plain challenge is truncated", () => {
    const { result } = run(() => [{ hex: challenge(77).slice(0, -2), after: 10 }])
    expect(result).toMatchObject({ failure: { _tag: "Malformed", messageTag: "ChallengeReply", field: "challenge" } })
  })

  it("returns the handshake reply even if the network duplicates a challenge", () => {
    const { result } = run((queried) =>
      queried === request(77)
        ? [{ hex: handshake(77), after: 40 }]
        : [
            { hex: challenge(77), after: 40 },
            { hex: challenge(77), after: 41 },
            { hex: challenge(77), after: 42 }
          ]
    )
    expect(Result.getOrThrow(result)).toMatchObject({ reply: { _tag: "HandshakeChallenge" }, rttMs: 40 })
  })

  it("waits for the handshake reply if a slow server sends the same plain challenge twice", () => {
    // The server is busy when the first requests in Source 2013's form and in CS:GO's form arrive. Then the server replies to both
    // requests in quick succession.
    const server: Server = (queried, nth) => {
      if (queried === request(77)) return [{ hex: handshake(77), after: 5 }]
      return nth === 2 ? [5, 9].map((after) => ({ hex: challenge(77), after })) : []
    }
    const { result } = drive(new HandshakeExchange(OURS, settings), server)
    expect(Result.getOrThrow(result)).toMatchObject({ reply: { _tag: "HandshakeChallenge" }, form: "source" })
  })

  it("returns the plain challenge even if the second reply may be a duplicate of the first reply", () => {
    const slowFirst: Server = (_, nth) => [{ hex: challenge(77), after: nth === 1 ? 100 : 1 }]
    expect(Result.getOrThrow(run(slowFirst).result)).toMatchObject({ reply: { challenge: 77 }, sent: 3 })
    const once = run(slowFirst, { retries: 0 })
    expect(Result.getOrThrow(once.result)).toMatchObject({
      reply: { challenge: 77 },
      sent: 2,
      rttMs: 1,
      rttAmbiguous: true
    })
    expect(once.endedAt).toBe(3000)
  })

  it("fails with Timeout if the request with the last challenge gets no reply, even if an earlier challenge arrived twice", () => {
    const server: Server = (_, nth) =>
      nth === 1
        ? [{ hex: challenge(77), after: 40 }]
        : nth === 2
          ? [77, 88].map((one, i) => ({ hex: challenge(one), after: 1 + i }))
          : []
    expect(run(server, { retries: 0 }).result).toMatchObject({ failure: { _tag: "Timeout", phase: "challenge" } })
  })

  it("fails with TooManyChallenges if every reply contains a new challenge", () => {
    const { result, sent } = run((_, nth) => [{ hex: challenge(1000 + nth), after: 5 }])
    expect(result).toMatchObject({ failure: { _tag: "TooManyChallenges", rounds: 8 } })
    // The first request contains the client's number. Each of the next eight requests contains a challenge of the server.
    expect(sent).toHaveLength(9)
  })

  it("drops a reply that does not contain the client's number, and fails with UnexpectedReply if no other reply arrives", () => {
    const { result } = run(() => [{ hex: handshake(OURS + 1), after: 5 }])
    expect(result).toMatchObject({
      failure: {
        _tag: "UnexpectedReply",
        type: 0x41,
        message:
          "The handshake's reply does not contain the challenge of the request. The reply is for another client, or spoofed."
      }
    })
    const late = run(() => [
      { hex: handshake(OURS + 1), after: 5 },
      { hex: handshake(OURS), after: 9 }
    ])
    expect(Result.getOrThrow(late.result)).toMatchObject({ rttMs: 9, received: 2 })
  })

  it.each([
    ["0x39", hex({ _tag: "ConnectionRejected", text: "Server is full.\n" }), "Server is full."],
    [
      "0x6C",
      hex({ _tag: "PrintReply", text: "You have been banned from this server.\n" }),
      "You have been banned from this server."
    ]
  ])("fails with Refused if a message of type %s contains a rejection", (_, datagram, text) => {
    expect(run(() => [{ hex: datagram, after: 5 }]).result).toMatchObject({ failure: { _tag: "Refused", text } })
  })

  it("sends the request again after a malformed reply, and fails if the second reply is malformed, too", () => {
    const cut = handshake(OURS).slice(0, 40)
    const { result, sent } = run(() => [{ hex: cut, after: 5 }])
    expect(result).toMatchObject({ failure: { _tag: "Malformed", messageTag: "HandshakeChallenge" } })
    expect(sent.length).toBe(2)
    const healed = run((_, nth) => [{ hex: nth === 1 ? cut : handshake(OURS), after: 5 }])
    expect(Result.isSuccess(healed.result)).toBe(true)
  })

  it("does not send the request again after a malformed reply if `retries` is 0", () => {
    const cut = handshake(OURS).slice(0, 40)
    const { endedAt, sent } = run(() => [{ hex: cut, after: 5 }], { retries: 0 })
    expect([sent.length, endedAt]).toEqual([1, 5])
  })

  it("fails with Timeout in the phase `challenge` if the request with the challenge gets no reply", () => {
    const { result } = run((_, nth) => (nth === 1 ? [{ hex: challenge(77), after: 5 }] : []))
    expect(result).toMatchObject({ failure: { _tag: "Timeout", phase: "challenge", received: 1 } })
  })

  it("ignores a message that belongs to an open connection", () => {
    const { result } = run(() => [{ hex: "0100000000000000200102", after: 5 }])
    expect(result).toMatchObject({ failure: { _tag: "Timeout" } })
  })

  it("omits the name of an unknown authentication protocol", () => {
    const { result } = run(() => [{ hex: handshake(OURS, 9), after: 5 }])
    expect(Result.getOrThrow(result)).not.toHaveProperty("authProtocolName")
  })

  it("ignores datagrams that are not part of a handshake", () => {
    const noise = ["", "ff", "ffffffff", "ffffffff4900", "0100000000000000200102", "feffffff0100000002"]
    const { result } = run(
      () => [{ hex: handshake(OURS), after: 50 }],
      {},
      noise.map((hex, i) => ({ hex, after: i }))
    )
    expect(Result.isSuccess(result)).toBe(true)
  })

  it("fails with UnexpectedReply if the only reply is not a reply to a handshake", () => {
    const { result } = run(() => [{ hex: "ffffffff6a00", after: 5 }])
    expect(result).toMatchObject({ failure: { _tag: "UnexpectedReply", type: 0x6a } })
  })
})

it("a handshake ignores a datagram that is a request to a master server", () => {
  const { result } = run(() => [{ hex: "31ff302e302e302e303a300000", after: 5 }])
  expect(result).toMatchObject({ failure: { _tag: "Timeout" } })
})
