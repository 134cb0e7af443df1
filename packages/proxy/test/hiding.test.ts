import type { InfoReply, RulesReply } from "@sourcewire/protocol"
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { profiles } from "@sourcewire/emulator"
import type { Replies } from "../src/cache.ts"
import { type Hiding, hideInInfo, hideInRules } from "../src/hiding.ts"
import { inLab, upstream, UPSTREAM_TEXT } from "./lab.ts"

const hltv = profiles.hltv()
const legacy = hltv.legacyInfo as Extract<Replies["info"][number], { _tag: "GoldSourceInfoReply" }>
const css = profiles.css().info as InfoReply

const hiding: Hiding = {
  hosts: ["game.example", "198.51.100.7", "2001:db8::7"],
  shown: "203.0.113.5:27016",
  isForPlayers: false
}

const rules = (...values: ReadonlyArray<string>): RulesReply => ({
  _tag: "RulesReply",
  announced: values.length,
  rules: values.map((value, index) => ({ name: `rule${index}`, value })),
  truncated: false
})

describe("hiding the game server's address", () => {
  it("replaces the address in the older dialect of INFO, and removes the original bytes of the address", () => {
    expect(hideInInfo([{ ...legacy, addressHex: "e9" }], hiding)).toEqual([{ ...legacy, address: hiding.shown }])
  })

  it("replaces only the game port in the newer dialect of INFO, and changes nothing if the public game port is unknown", () => {
    expect(hideInInfo([css], hiding)).toEqual([css])
    expect(hideInInfo([{ ...css, port: 30_015 }], { ...hiding, isForPlayers: true })).toEqual([
      { ...css, port: 27_016 }
    ])
    const { port: _, ...withoutPort } = css
    expect(hideInInfo([withoutPort], { ...hiding, isForPlayers: true })).toEqual([withoutPort])
  })

  it("omits each rule that contains the host in any spelling, and corrects the number of rules", () => {
    const revealing = [
      "198.51.100.7",
      "198.51.100.7:27015",
      "ip=198.51.100.7;",
      "http://GAME.example/maps/",
      "http://game.example.",
      "[2001:db8::7]:27015",
      "2001:DB8::7"
    ]
    const harmless = ["198.51.100.70", "1198.51.100.7", "my-game.example", "game.example.org", "2001:db8::77", ""]
    const shown = hideInRules(rules(...revealing, ...harmless), hiding)
    expect(shown.rules.map(({ value }) => value)).toEqual(harmless)
    expect(shown.announced).toBe(harmless.length)
    expect(hideInRules({ ...rules(...revealing), announced: 0 }, hiding).announced).toBe(0)
  })

  it("omits HLTV's rule GameServer, even if the rule contains another address", () => {
    const shown = hideInRules(hltv.rules as RulesReply, hiding)
    expect(shown.rules.map(({ name }) => name)).toEqual(["HLTVProxy", "HLTVDelay", "HLTVChat", "HLTVDemo"])
    expect(shown.announced).toBe(4)
  })

  it("does not change the rules if no rule contains the address", () => {
    const harmless = rules("a", "b")
    expect(hideInRules(harmless, hiding)).toBe(harmless)
  })

  it.effect.each([
    { upstreamText: UPSTREAM_TEXT, options: {}, isHidden: false },
    { upstreamText: UPSTREAM_TEXT, options: { hideUpstream: true }, isHidden: true },
    { upstreamText: "itself.example:27015", options: {}, isHidden: true },
    { upstreamText: "itself.example:27015", options: { hideUpstream: false }, isHidden: false }
  ])("is on by default, except for a loopback address in `upstream`: $upstreamText, $options", (row) =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const ip = { name: "address", value: "127.0.0.1:27015" }
        const rulesReply: RulesReply = { ...rules("a"), rules: [ip] }
        yield* upstream({ ...hltv, rules: rulesReply })
        const proxy = yield* start({ upstream: row.upstreamText, ...row.options })
        yield* TestClock.adjust(1000)
        const answer = yield* during(1000, client.query(proxy.at))
        assert.strictEqual((answer.info as typeof legacy).address, row.isHidden ? proxy.at : legacy.address)
        assert.deepEqual(answer.rules?.rules, row.isHidden ? [] : [ip])
        assert.strictEqual((yield* proxy.save)[0]!.address, "127.0.0.1")
      })
    )
  )
})
