import { describe, expect, it } from "vitest"
import { declarations } from "../src/declarations/declarations.ts"
import { hasLongLong } from "../src/declarations/Declaration.ts"
import type { InfoReply, Message } from "../src/index.ts"
import { decode, encode, revive } from "../src/index.ts"
import * as Result from "effect/Result"

const cloned = (message: Message): Message => revive(structuredClone(message))

describe("a message that has been cloned", () => {
  const info: InfoReply = {
    _tag: "InfoReply",
    protocol: 17,
    name: "A server",
    map: "de_dust2",
    folder: "cstrike",
    game: "Counter-Strike: Source",
    appId: 240,
    players: 3,
    maxPlayers: 32,
    bots: 0,
    serverType: "dedicated",
    environment: "linux",
    passwordProtected: false,
    vac: true,
    version: "1.0.0.0",
    steamId: 2n ** 63n
  }

  it("is again what a decoder gives, 64-bit numbers and all", () => {
    const decoded = Result.getOrThrow(decode(Result.getOrThrow(encode(info))))
    expect(cloned(decoded)).toEqual(decoded)
    expect(JSON.stringify(cloned(decoded))).toBe(JSON.stringify(decoded))
    expect(JSON.stringify(cloned(decoded))).toContain('"9223372036854775808"')
  })

  it("is the same object where a clone has all there is", () => {
    const reply: Message = { _tag: "ChallengeReply", challenge: 7 }
    expect(revive(reply)).toBe(reply)
  })

  it("has 64-bit numbers in INFO alone", () => {
    expect(declarations.filter(hasLongLong).map(({ tag }) => tag)).toEqual(["InfoReply"])
  })
})
