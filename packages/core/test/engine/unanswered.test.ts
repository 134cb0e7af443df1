import { describe, expect, it } from "vitest"
import { OneKind } from "../../src/engine/unanswered.ts"

const sentAt = (...times: ReadonlyArray<number>): OneKind => {
  const unanswered = new OneKind(1)
  for (const time of times) unanswered.add(time)
  return unanswered
}

describe("a reply", () => {
  it("tells the round trip where one question alone can explain it", () => {
    const unanswered = sentAt(100)
    expect(unanswered.reply(140)).toBe(40)
    expect(unanswered.count).toBe(0)
  })

  it("tells nothing where several can", () => {
    const unanswered = sentAt(0, 300)
    expect(unanswered.guesses(310)).toEqual([310, 10])
    expect(unanswered.reply(310)).toBeUndefined()
    expect(unanswered.count).toBe(1)
  })

  it("that the network repeats tells nothing", () => {
    const unanswered = sentAt(0)
    unanswered.reply(10)
    expect(unanswered.reply(11)).toBeUndefined()
    expect(unanswered.count).toBe(0)
  })

  it("tells it after another that told it, like the first", () => {
    const unanswered = sentAt(0)
    unanswered.reply(10)
    unanswered.add(20)
    expect(unanswered.reply(35)).toBe(15)
  })
})

describe("once every question has a reply", () => {
  it("nothing is known if the last of many was lost, and another's reply came twice", () => {
    const unanswered = sentAt(0, 300, 645, 1042, 1498)
    const replies = [900, 1200, 1201, 1545, 1942]
    expect(replies.map((at) => unanswered.reply(at))).toEqual(replies.map(() => undefined))
  })

  it("the last belongs to the last", () => {
    const unanswered = sentAt(0, 300, 645)
    expect([900, 1200, 1545].map((at) => unanswered.reply(at))).toEqual([undefined, undefined, 900])
  })

  it("does so still when replies do not keep step", () => {
    const unanswered = sentAt(0, 300)
    expect([900, 1110].map((at) => unanswered.reply(at))).toEqual([undefined, 810])
  })

  it.each([
    ["the first was lost, and its reply came twice", [310, 311]],
    ["the second was lost, and the first's came twice", [900, 901]],
    ["the first was lost, and its reply came again much later", [310, 900]]
  ])("nothing is known if %s", (_, replies) => {
    const unanswered = sentAt(0, 300)
    expect(replies.map((at) => unanswered.reply(at))).toEqual([undefined, undefined])
    // What comes next is none the worse.
    unanswered.add(2000)
    expect(unanswered.reply(2040)).toBe(40)
  })
})
