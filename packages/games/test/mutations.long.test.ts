import { seededRandom } from "@sourcewire/core/testing"
import { type Message, decode, encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readFacts, summary } from "../src/index.ts"
import { games } from "../src/records/games.ts"
import { recorded } from "./captures.ts"
import { mutated } from "./mutated.ts"
import { info as plainInfo, rulesOf } from "./said.ts"

const RUNS = 80_000

const corpus: ReadonlyArray<Message> = [
  plainInfo({ keywords: "cp300,mp400,qp12,born1600000000", appId: 252_490, gameId: "252490" }),
  rulesOf({ MOD0_s: "5:00112233445566778899AABBCCDDEEFF", mods: "a;b", description_00: "x" }),
  ...recorded.flatMap(({ info, rules }) => [info, rules].filter((one) => one !== undefined))
]

describe("mutated answers", () => {
  it("never throw, in no game's way of reading them", { timeout: 240_000 }, () => {
    const random = seededRandom(7)
    const known = games.filter(({ reader }) => reader !== null)
    const bytes = corpus.map((message) => [...Result.getOrThrow(encode(message))])
    const plain = plainInfo()
    let read = 0
    for (let i = 0; i < RUNS; i++) {
      const message = decode(Uint8Array.from(mutated(bytes[i % bytes.length]!, random)))
      if (Result.isFailure(message)) continue
      const one = message.success
      const said =
        one._tag === "InfoReply" || one._tag === "GoldSourceInfoReply"
          ? { info: one }
          : one._tag === "RulesReply"
            ? { info: plain, rules: one }
            : undefined
      if (said === undefined) continue
      read++
      const game = known[i % known.length]!
      const { values } = readFacts(game, said)
      for (const value of Object.values(values)) {
        if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`run ${i}: ${value}`)
      }
      summary("192.0.2.7", said, game)
    }
    expect(read).toBeGreaterThan(RUNS / 10)
  })
})
