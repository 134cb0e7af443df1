import { type Message, encode, fromHex, toHex } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { repliesIn } from "../../engine/repliesIn.ts"

const SERVER = "192.0.2.1:27015"
const CLIENT = "198.51.100.9:50000"

const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))
const sent = (message: Message, to = SERVER) => ({ bytes: bytes(message), from: CLIENT, to })
const received = (one: Uint8Array, from = SERVER) => ({ bytes: one, from, to: CLIENT })

const challenge = bytes({ _tag: "ChallengeReply", challenge: 77 })
const players = bytes({
  _tag: "PlayersReply",
  announced: 1,
  players: [{ index: 0, name: "Gordon", score: 7, duration: 1 }],
  truncated: false
})
const rules = bytes({ _tag: "RulesReply", announced: 1, rules: [{ name: "a", value: "b" }], truncated: false })
const old = fromHex("ffffffff6d3132372e302e302e313a323730313500")!

describe("repliesIn", () => {
  it("adds the captured challenge to a reply only if the request for this reply contains the challenge", () => {
    const found = repliesIn([
      sent({ _tag: "PlayersRequest", challenge: -1 }),
      received(challenge),
      sent({ _tag: "PlayersRequest", challenge: 77 }),
      received(players),
      sent({ _tag: "RulesRequest", challenge: -1 }),
      received(rules)
    ])
    expect(found).toEqual([
      {
        server: SERVER,
        replies: [
          { request: "players", challenge: toHex(challenge), datagrams: [toHex(players)] },
          { request: "rules", datagrams: [toHex(rules)] }
        ]
      }
    ])
  })

  it("returns the challenge from the request if the capture begins after the challenge reply", () => {
    const [found] = repliesIn([sent({ _tag: "RulesRequest", challenge: 77 }), received(rules)])
    expect(found?.replies).toEqual([{ request: "rules", challenge: toHex(challenge), datagrams: [toHex(rules)] }])
  })

  it("returns the reply to GETCHALLENGE, and the fragments of a reply in the order in which they arrived", () => {
    const large = bytes({
      _tag: "RulesReply",
      announced: 40,
      rules: Array.from({ length: 40 }, (_, i) => ({ name: `rule${i}`, value: "x".repeat(60) })),
      truncated: false
    })
    const parts = splitDatagram(large, { layout: "source", id: 5, maxBytes: 1248 }).toReversed()
    const [found] = repliesIn([
      sent({ _tag: "GetChallengeRequest" }),
      received(challenge),
      sent({ _tag: "RulesRequest", challenge: 77 }),
      ...parts.map((part) => received(part))
    ])
    expect(found?.replies).toEqual([
      { request: "getChallenge", datagrams: [toHex(challenge)] },
      { request: "rules", challenge: toHex(challenge), datagrams: parts.map((part) => toHex(part)) }
    ])
    const dropped = repliesIn([sent({ _tag: "RulesRequest", challenge: 77 }), received(parts[1]!)])
    expect(dropped[0]?.replies[0]?.datagrams).toEqual([toHex(parts[1]!)])
  })

  it("returns a malformed reply only if there is no complete reply", () => {
    const broken = players.subarray(0, 5)
    const request = { _tag: "PlayersRequest", challenge: 77 } as const
    const malformed = [sent({ _tag: "InfoRequest" }), received(old)]
    expect(repliesIn(malformed)[0]?.replies).toEqual([{ request: "info", datagrams: [toHex(old)] }])
    const [found] = repliesIn([sent(request), received(players), sent(request), received(broken)])
    expect(found?.replies.map(({ datagrams }) => datagrams)).toEqual([[toHex(players)]])
  })

  it("separates the replies of different servers, and accepts pasted bytes without addresses", () => {
    const other = "192.0.2.2:27015"
    const both = repliesIn([
      sent({ _tag: "RulesRequest", challenge: -1 }),
      sent({ _tag: "RulesRequest", challenge: -1 }, other),
      received(rules),
      received(rules, other)
    ])
    expect(both.map(({ server }) => server)).toEqual([SERVER, other])
    expect(repliesIn([{ bytes: challenge }, { bytes: players }])).toEqual([
      {
        server: undefined,
        replies: [{ request: "players", challenge: toHex(challenge), datagrams: [toHex(players)] }]
      }
    ])
    expect(repliesIn([{ bytes: rules }])[0]?.replies).toEqual([{ request: "rules", datagrams: [toHex(rules)] }])
    expect(repliesIn([sent({ _tag: "InfoRequest" })])).toEqual([])
  })
})
