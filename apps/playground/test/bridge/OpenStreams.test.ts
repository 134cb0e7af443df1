import { describe, expect, it } from "vitest"
import { OpenStreams } from "../../bridge/OpenStreams.ts"

describe("places for streams", () => {
  it("are some for each client, until they close", () => {
    const streams = new OpenStreams(1, 10)
    const close = streams.open("192.0.2.1")!
    expect(streams.open("192.0.2.1")).toBeUndefined()
    expect(streams.open("192.0.2.2")).toBeDefined()
    close()
    // Closing twice gives no second place.
    close()
    expect(streams.open("192.0.2.1")).toBeDefined()
    expect(streams.open("192.0.2.1")).toBeUndefined()
  })

  it("are a number in all, whoever takes them", () => {
    const streams = new OpenStreams(2, 3)
    const closes = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((client) => streams.open(client))
    expect(closes.every((close) => close !== undefined)).toBe(true)
    expect(streams.open("192.0.2.4")).toBeUndefined()
    closes[0]!()
    expect(streams.open("192.0.2.4")).toBeDefined()
  })

  it("are those of a /64 together, which one host has to itself", () => {
    const streams = new OpenStreams(1, 10)
    expect(streams.open("2001:db8:1:2::1")).toBeDefined()
    expect(streams.open("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBeUndefined()
    expect(streams.open("2001:db8:1:3::1")).toBeDefined()
    expect(streams.open("::ffff:192.0.2.1")).toBeDefined()
    expect(streams.open("192.0.2.1")).toBeUndefined()
    expect(streams.open("::ffff:192.0.2.2")).toBeDefined()
  })
})
