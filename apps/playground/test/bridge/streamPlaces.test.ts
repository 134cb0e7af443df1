import { describe, expect, it } from "vitest"
import { streamPlaces } from "../../bridge/streamPlaces.ts"

describe("the number of streams", () => {
  it("is limited for each client, and a client that has closed a stream can open exactly one more stream", () => {
    const open = streamPlaces(1, 10)
    const close = open("192.0.2.1")!
    expect(open("192.0.2.1")).toBeUndefined()
    expect(open("192.0.2.2")).toBeDefined()
    close()
    // A second call of the same `close` has no effect. Therefore the client can open only one more stream.
    close()
    expect(open("192.0.2.1")).toBeDefined()
    expect(open("192.0.2.1")).toBeUndefined()
  })

  it("is limited in total", () => {
    const open = streamPlaces(2, 3)
    const closes = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((client) => open(client))
    expect(closes.every((close) => close !== undefined)).toBe(true)
    expect(open("192.0.2.4")).toBeUndefined()
    closes[0]!()
    expect(open("192.0.2.4")).toBeDefined()
  })

  it("is limited for each /64 network of IPv6, because all addresses of such a network may belong to one host", () => {
    const open = streamPlaces(1, 10)
    expect(open("2001:db8:1:2::1")).toBeDefined()
    expect(open("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBeUndefined()
    expect(open("2001:db8:1:3::1")).toBeDefined()
    expect(open("::ffff:192.0.2.1")).toBeDefined()
    expect(open("192.0.2.1")).toBeUndefined()
    expect(open("::ffff:192.0.2.2")).toBeDefined()
  })
})
