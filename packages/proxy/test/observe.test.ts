import { RoundTrip, Step } from "@sourcewire/core/engine"
import { Query, QueryExchange, readSettings } from "@sourcewire/core/query"
import { encode } from "@sourcewire/protocol"
import type { RulesReply } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import type { SplitLayout } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { compress } from "@sourcewire/server/machines"
import { profiles } from "@sourcewire/emulator"
import { ObservedExchange } from "../src/observe.ts"

const settings = Result.getOrThrow(readSettings({ timeoutMs: 1000 }, undefined))
const RULES = profiles.css().rules as RulesReply
const bytes = Result.getOrThrow(encode(RULES))

/** Passes the datagrams of a reply to an exchange that observes the form of the reply. */
const observe = (...datagrams: ReadonlyArray<Uint8Array>) => {
  const exchange = new ObservedExchange("rules", settings, new RoundTrip(), undefined, undefined)
  exchange.start(0)
  const steps = datagrams.map((datagram) => exchange.receive(datagram, 1))
  expect(steps.at(-1)).toBe(Step.Done)
  return exchange
}

const split = (layout: SplitLayout, maxBytes: number, isCompressed = false) =>
  splitDatagram(bytes, {
    layout,
    id: isCompressed ? 7 | 0x80000000 : 7,
    maxBytes,
    ...(isCompressed ? { compressed: compress(bytes) } : {})
  })

describe("the form of a large reply", () => {
  it.each<readonly [layout: SplitLayout, maxBytes: number]>([
    ["source", 1260],
    ["source", 1248],
    ["source-no-size", 1260],
    ["goldsource", 1400],
    ["goldsource", 700]
  ])("is detected from fragments with the layout %s and %i bytes", (layout, maxBytes) => {
    const { messages, oversize } = observe(...split(layout, maxBytes))
    expect(messages).toEqual([RULES])
    expect(oversize).toEqual({ how: "split", layout, maxBytes })
  })

  it("is detected for compressed replies", () => {
    expect(observe(...split("source", 600, true)).oversize).toEqual({
      how: "split",
      layout: "source",
      maxBytes: 600,
      bzip2: true
    })
  })

  it("contains the nearest allowed fragment size if the game server's fragments are smaller or larger than allowed", () => {
    expect(observe(...split("source", 300)).oversize).toMatchObject({ maxBytes: 512 })
    expect(observe(...split("source", 2000)).oversize).toMatchObject({ maxBytes: 1400 })
  })

  it("is detected from one large datagram, but not from a datagram of at most 1400 bytes", () => {
    expect(bytes.length).toBeGreaterThan(1400)
    expect(observe(bytes).oversize).toEqual({ how: "whole", maxBytes: 65_507 })
    const withSize = (size: number): Uint8Array => {
      const padding = size - 7 - 3
      const reply: RulesReply = {
        _tag: "RulesReply",
        announced: 1,
        rules: [{ name: "a", value: "x".repeat(padding) }],
        truncated: false
      }
      return Result.getOrThrow(encode(reply))
    }
    expect(withSize(1400)).toHaveLength(1400)
    expect(observe(withSize(1400)).oversize).toBeUndefined()
    expect(observe(withSize(1401)).oversize).toMatchObject({ how: "whole" })
  })

  it("is detected by an exchange that otherwise behaves like an ordinary exchange", () => {
    const plain = new QueryExchange(Query.rules, { ...settings, random: () => 0 }, new RoundTrip())
    const watched = new ObservedExchange(
      "rules",
      { ...settings, random: () => 0 },
      new RoundTrip(),
      undefined,
      undefined
    )
    const challenge = Uint8Array.of(255, 255, 255, 255, 0x41, 1, 2, 3, 4)
    const [first] = split("source", 1260)
    for (const act of [
      (exchange: typeof plain | typeof watched) => exchange.start(0),
      (exchange: typeof plain | typeof watched) => exchange.receive(challenge, 20),
      (exchange: typeof plain | typeof watched) => exchange.receive(first!, 40),
      (exchange: typeof plain | typeof watched) => exchange.expire(exchange.deadline)
    ]) {
      expect(act(watched)).toBe(act(plain))
      expect(watched.deadline).toBe(plain.deadline)
      expect(watched.packet).toEqual(plain.packet)
      expect([watched.sent, watched.cachedChallenge, watched.outstanding]).toEqual([
        plain.sent,
        plain.cachedChallenge,
        plain.outstanding
      ])
    }
  })
})
