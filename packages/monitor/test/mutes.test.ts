import { describe, expect, it } from "vitest"
import { makeGroup } from "../src/config/Config.ts"
import { type Mute, Mutes } from "../src/watch/Mutes.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"

const target = (address = "192.0.2.1:27015", group = "eu", maintenance: Parameters<typeof makeGroup>[0] = {}) => {
  const [host = "", port] = address.split(":")
  return new Watched(1, address, { host, port: Number(port) }, makeGroup(maintenance, group, {}), unknown())
}

const mute = (more: Partial<Mute>): Mute => ({
  id: 1,
  kind: "server",
  what: "192.0.2.1:27015",
  from: 100,
  until: 200,
  note: "",
  ...more
})

const makeMutes = (...list: ReadonlyArray<Mute>): Mutes => {
  const mutes = new Mutes()
  mutes.set(list)
  return mutes
}

/** A maintenance window from 00:00 to 00:10 on the first day of 1970. */
const WINDOW = { maintenance: [{ from: "1970-01-01T00:00:00Z", to: "1970-01-01T00:10:00Z" }] }
const MINUTE = 60_000

describe("a mute", () => {
  it("applies from its start, and no longer applies at its end", () => {
    const mutes = makeMutes(mute({}))
    expect([99, 100, 199, 200].map((at) => mutes.isMuted(target(), at))).toEqual([false, true, true, false])
    expect(mutes.at(target(), 150)).toEqual({ by: "mute", until: 200 })
    expect(mutes.at(target(), 200)).toBeUndefined()
  })

  it("applies to its server, or to the servers of its group, and to no other server", () => {
    const server = makeMutes(mute({}))
    expect(server.isMuted(target("192.0.2.2:27015"), 150)).toBe(false)
    const group = makeMutes(mute({ kind: "group", what: "eu" }))
    expect(group.isMuted(target("192.0.2.2:27015"), 150)).toBe(true)
    expect(group.isMuted(target("192.0.2.2:27015", "us"), 150)).toBe(false)
    // The name of a group may equal the address of a server.
    expect(makeMutes(mute({ kind: "group" })).isMuted(target(), 150)).toBe(false)
  })

  it("applies forever if it has no end", () => {
    const mutes = makeMutes(mute({ until: undefined, note: "moving" }))
    expect(mutes.at(target(), 1e15)).toEqual({ by: "mute", note: "moving" })
  })

  it("if several mutes apply, only the mute that ends last is shown", () => {
    const mutes = makeMutes(
      mute({ id: 1, until: 200, note: "first" }),
      mute({ id: 2, until: 300, note: "longest" }),
      mute({ id: 3, until: 250, kind: "group", what: "eu" })
    )
    expect(mutes.at(target(), 150)).toEqual({ by: "mute", until: 300, note: "longest" })
    expect(makeMutes(mute({ until: 200 }), mute({ until: undefined })).at(target(), 150)).toEqual({ by: "mute" })
  })

  it("ends when a new list of mutes does not contain it", () => {
    const mutes = makeMutes(mute({}), mute({ kind: "group", what: "eu" }))
    expect(mutes.list()).toHaveLength(2)
    mutes.set([])
    expect([mutes.isMuted(target(), 150), mutes.list()]).toEqual([false, []])
  })
})

describe("a maintenance window", () => {
  it("mutes its group until the end of the window", () => {
    const mutes = new Mutes()
    const one = target(undefined, "eu", WINDOW)
    expect(mutes.at(one, 5 * MINUTE)).toEqual({ by: "maintenance", until: 10 * MINUTE })
    expect([mutes.isMuted(one, 5 * MINUTE), mutes.isMuted(one, 10 * MINUTE)]).toEqual([true, false])
    expect(mutes.at(one, 10 * MINUTE)).toBeUndefined()
  })

  it("mutes its group forever if the window never closes", () => {
    const always = {
      maintenance: [
        { start: "00:00", end: "12:00" },
        { start: "12:00", end: "00:00" }
      ] as const
    }
    expect(new Mutes().at(target(undefined, "eu", always), 0)).toEqual({ by: "maintenance" })
  })

  it("is not shown while a mute applies", () => {
    const mutes = makeMutes(mute({ from: 0, until: MINUTE, note: "by hand" }))
    expect(mutes.at(target(undefined, "eu", WINDOW), 0)).toEqual({ by: "mute", until: MINUTE, note: "by hand" })
  })
})

describe("the muted parts of a period", () => {
  it("include mutes and maintenance windows, do not overlap, and are inside the period", () => {
    const one = target(undefined, "eu", WINDOW)
    const mutes = makeMutes(
      mute({ from: 9 * MINUTE, until: 12 * MINUTE }),
      mute({ from: 20 * MINUTE, until: undefined }),
      mute({ from: 0, until: MINUTE }),
      mute({ from: 40 * MINUTE, until: 50 * MINUTE })
    )
    expect(mutes.within(one, 2 * MINUTE, 30 * MINUTE)).toEqual([
      [2 * MINUTE, 12 * MINUTE],
      [20 * MINUTE, 30 * MINUTE]
    ])
  })

  it("include only maintenance windows if no mute applies to the target", () => {
    const mutes = makeMutes(mute({ what: "192.0.2.9:27015" }))
    expect(mutes.within(target(undefined, "eu", WINDOW), 5 * MINUTE, 30 * MINUTE)).toEqual([[5 * MINUTE, 10 * MINUTE]])
    expect(mutes.within(target(), 0, 30 * MINUTE)).toEqual([])
  })
})
