/** A target for the code that reads the keywords and rules of games. */
import { findGames, readFacts, summary } from "@sourcewire/games"
import { decode, encode, type InfoReply, type Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { profiles } from "@sourcewire/emulator"
import { current } from "@sourcewire/server"
import { recordings, replies } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"

const games = findGames().filter(({ reader }) => reader !== null)
const plainInfo = current(profiles.css().info!) as InfoReply

const messages: ReadonlyArray<Message> = [
  { ...plainInfo, appId: 252_490, gameId: "252490", keywords: "cp300,mp400,qp12,born1600000000" },
  {
    _tag: "RulesReply",
    announced: 3,
    truncated: false,
    rules: [
      { name: "MOD0_s", value: "5:00112233445566778899AABBCCDDEEFF" },
      { name: "mods", value: "a;b" },
      { name: "description_00", value: "x" }
    ]
  }
]

/** The first byte of the input selects the game. The other bytes are a reply to INFO or RULES. */
export const gameFacts: Target = {
  name: "game facts",
  holds: "no throw; every number is finite",
  covers: /^packages\/games\/src\//,
  weight: 3,
  steering: 1,
  maxBytes: 4096,
  baseSteps: 200_000,
  stepsPerByte: 1000,
  seeds: () =>
    [...replies, ...recordings, ...messages.map((message) => Result.getOrThrow(encode(message)))]
      .filter(({ length }) => length < 4096)
      .map((bytes, i): Input => [Uint8Array.of(i, ...bytes)]),
  run: ([part = new Uint8Array()]) => {
    const game = games[(part[0] ?? 0) % games.length]!
    const message = decode(part.slice(1))
    if (Result.isFailure(message)) return
    const reply = message.success
    const isInfo = reply._tag === "InfoReply" || reply._tag === "GoldSourceInfoReply"
    if (!isInfo && reply._tag !== "RulesReply") return
    const answer = isInfo ? { info: reply } : { info: plainInfo, rules: reply }
    for (const [name, value] of Object.entries(readFacts(game, answer).values)) {
      must(typeof value !== "number" || Number.isFinite(value), `${name} is ${String(value)}`)
    }
    JSON.stringify(summary("192.0.2.7", answer, game))
  }
}
