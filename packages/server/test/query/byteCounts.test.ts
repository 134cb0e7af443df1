import type { Message } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { withByteCounts } from "../../src/query/byteCounts.ts"
import { profile } from "../profile.ts"

const info = profile().info as Extract<Message, { _tag: "InfoReply" }>
const player = (index: number) => ({ index, name: "a", score: 300, duration: 1 })

describe("counts in one byte", () => {
  it("are sent modulo 256 in INFO", () => {
    expect(withByteCounts({ ...info, players: 256, maxPlayers: 511, bots: 257 })).toEqual({
      ...info,
      players: 0,
      maxPlayers: 255,
      bots: 1
    })
    expect(withByteCounts({ ...info, players: 255, maxPlayers: 0, bots: 255 })).toEqual({
      ...info,
      players: 255,
      maxPlayers: 0,
      bots: 255
    })
  })

  it("are sent modulo 256 in GoldSource's INFO", () => {
    const goldSource = { _tag: "GoldSourceInfoReply", players: 300, maxPlayers: 256, bots: 0 } as Message
    expect(withByteCounts(goldSource)).toMatchObject({ players: 44, maxPlayers: 0, bots: 0 })
  })

  it("are not added to an INFO reply that does not contain them", () => {
    const { bots: _, ...rest } = info
    expect(withByteCounts(rest as Message)).not.toHaveProperty("bots")
  })

  it("are sent modulo 256 in the list of players, and the indexes of the players are sent modulo 256, too", () => {
    const list = { _tag: "PlayersReply" as const, truncated: false }
    expect(withByteCounts({ ...list, announced: 300, players: [player(255), player(256), player(300)] })).toEqual({
      ...list,
      announced: 44,
      players: [player(255), player(0), player(44)]
    })
  })

  it("are not changed if they are invalid, so that the encoder rejects them", () => {
    expect(withByteCounts({ ...info, players: 256.5, maxPlayers: Number.NaN, bots: -1 })).toMatchObject({
      players: 256.5,
      maxPlayers: Number.NaN,
      bots: -1
    })
  })
})

describe("withByteCounts", () => {
  it("reduces the count of rules modulo 65536", () => {
    const rules = { _tag: "RulesReply" as const, truncated: false, rules: [] }
    expect(withByteCounts({ ...rules, announced: 65_535 })).toMatchObject({ announced: 65_535 })
    expect(withByteCounts({ ...rules, announced: 65_537 })).toMatchObject({ announced: 1 })
  })

  it("does not change a message without counts", () => {
    const message: Message = { _tag: "ChallengeReply", challenge: 70_000 }
    expect(withByteCounts(message)).toBe(message)
  })
})
