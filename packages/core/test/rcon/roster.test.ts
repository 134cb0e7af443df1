import type { PlayersReply } from "@sourcewire/protocol"
import { expect, it } from "vitest"
import { mergeRoster } from "../../src/rcon/roster.ts"
import { readStatus } from "../../src/rcon/ServerStatus.ts"

const status = readStatus(`# userid name uniqueid connected ping loss state rate adr
# 2 1 "one" STEAM_1:0:7 00:22 15 0 active 786432 192.0.2.1:1
# 3 2 "twice" STEAM_1:0:8 00:23 16 0 active 786432 192.0.2.2:1
# 4 3 "twice" STEAM_1:0:9 00:24 17 0 active 786432 192.0.2.3:1
# 5 "Moe" BOT active 64
#end
`)

const makeReply = (...names: ReadonlyArray<string>): PlayersReply => ({
  _tag: "PlayersReply",
  announced: names.length,
  truncated: false,
  players: names.map((name, i) => ({ index: 0, name, score: 10 + i, duration: 30.7 }))
})

it("the roster contains the source of each value, and the A2S score of each player whose name is unique", () => {
  const [first, ...others] = mergeRoster(makeReply("one", "twice", "", "new"), status)
  expect(first).toEqual({
    name: "one",
    isBot: false,
    userId: 2,
    steamId: "76561197960265742",
    connectedSeconds: 22,
    ping: 15,
    loss: 0,
    state: "active",
    score: 10,
    sources: {
      name: "rcon",
      isBot: "rcon",
      userId: "rcon",
      steamId: "rcon",
      connectedSeconds: "rcon",
      ping: "rcon",
      loss: "rcon",
      state: "rcon",
      score: "a2s"
    }
  })
  // If two players have the same name, A2S does not show which of the two scores belongs to which player.
  expect(others.map(({ name, score }) => [name, score])).toEqual([
    ["twice", undefined],
    ["twice", undefined],
    ["Moe", undefined],
    ["new", 13]
  ])
  expect(mergeRoster(makeReply("one", "one"), status).map(({ name, score }) => [name, score])).toEqual([
    ["one", undefined],
    ["twice", undefined],
    ["twice", undefined],
    ["Moe", undefined]
  ])
  expect(others.at(-1)).toEqual({
    name: "new",
    score: 13,
    connectedSeconds: 30,
    sources: { name: "a2s", score: "a2s", connectedSeconds: "a2s" }
  })
})

it("the roster contains the players from RCON if A2S returns no names", () => {
  expect(mergeRoster(undefined, status).map(({ name }) => name)).toEqual(["one", "twice", "twice", "Moe"])
  expect(mergeRoster(makeReply("", ""), status)).toHaveLength(4)
})
