import { describe, expect, it } from "vitest"
import { CongestionWindow } from "../../src/scan/congestionWindow.ts"

const FIRST = 64

/** Reports `count` replies to the window. The first `resent` of these replies needed a retransmission. */
const reply = (window: CongestionWindow, count: number, resent = 0): void => {
  for (let i = 0; i < count; i++) window.onReply(i < resent)
}

describe("the window of a scan", () => {
  it("begins with 64 targets, or with the configured concurrency if the concurrency is smaller", () => {
    expect(new CongestionWindow(1000).size).toBe(FIRST)
    expect(new CongestionWindow(10).size).toBe(10)
  })

  it("grows by one with each reply that needed no retransmission, up to the configured concurrency", () => {
    const window = new CongestionWindow(70)
    reply(window, 3, 1)
    expect(window.size).toBe(FIRST + 2)
    reply(window, 10)
    expect(window.size).toBe(70)
  })

  it("grows by half of its size at each tick, even if no reply arrives", () => {
    const window = new CongestionWindow(120)
    window.onTick()
    expect(window.size).toBe(96)
    window.onTick()
    expect(window.size).toBe(120)
  })

  it("is halved if the system has dropped replies, and then grows more slowly than before", () => {
    const window = new CongestionWindow(1000)
    window.onDropped()
    expect(window.size).toBe(32)
    reply(window, 10)
    expect(window.size).toBe(32)
    window.onTick()
    expect(window.size).toBe(34)
  })

  it("does not shrink below 16, or below the configured concurrency if the concurrency is smaller", () => {
    const [large, small] = [new CongestionWindow(1000), new CongestionWindow(10)]
    for (let i = 0; i < 9; i++) {
      large.onDropped()
      small.onDropped()
    }
    expect([large.size, small.size]).toEqual([16, 10])
  })
})

describe("packet loss", () => {
  it("shrinks the window by a quarter if more than a tenth of 64 replies needed a retransmission", () => {
    const window = new CongestionWindow(1000)
    reply(window, 64, 7)
    const { size } = window
    window.onTick()
    expect(window.size).toBe(Math.floor(size * 0.75))
  })

  it("does not shrink the window if at most a tenth of the replies needed a retransmission", () => {
    const window = new CongestionWindow(1000)
    reply(window, 100, 10)
    const { size } = window
    window.onTick()
    expect(window.size).toBe(Math.ceil(size * 1.5))
  })

  it("is not evaluated before 64 replies have arrived", () => {
    const window = new CongestionWindow(1000)
    reply(window, 63, 63)
    window.onTick()
    expect(window.size).toBe(96)
    reply(window, 1)
    window.onTick()
    expect(window.size).toBe(Math.floor(97 * 0.75))
  })

  it("is measured anew after each evaluation", () => {
    const window = new CongestionWindow(1000)
    reply(window, 64, 64)
    window.onTick()
    let { size } = window
    // The second evaluation ignores the 64 replies of the first evaluation. Otherwise, the packet loss would be 50 %, and the window would
    // shrink.
    reply(window, 64)
    window.onTick()
    expect(window.size).toBe(Math.ceil(size * 1.05))
    size = window.size
    // An evaluation needs 64 new replies, even if the previous evaluation did not shrink the window.
    reply(window, 63, 63)
    window.onTick()
    expect(window.size).toBe(Math.ceil(size * 1.05))
    size = window.size
    reply(window, 1)
    window.onTick()
    expect(window.size).toBe(Math.floor(size * 0.75))
  })

  it("is measured anew after the system dropped replies", () => {
    const window = new CongestionWindow(1000)
    reply(window, 63, 63)
    window.onDropped()
    const { size } = window
    reply(window, 1)
    window.onTick()
    expect(window.size).toBeGreaterThan(size)
  })

  it("no longer shrinks the window if a smaller window does not reduce the loss, until the loss rises by more than half", () => {
    const window = new CongestionWindow(1000)
    reply(window, 100, 20)
    window.onTick()
    const { size } = window
    reply(window, 100, 17)
    window.onTick()
    expect(window.size).toBe(Math.ceil(size * 1.05))
    // The window now treats a loss of 17 % as normal. The window shrinks only if the loss exceeds 25.5 %, one and a half times the normal
    // loss.
    reply(window, 100, 25)
    window.onTick()
    const grown = window.size
    expect(grown).toBeGreaterThan(size)
    reply(window, 100, 26)
    window.onTick()
    expect(window.size).toBe(Math.floor(grown * 0.75))
  })

  it("shrinks the window further if a smaller window reduces the loss", () => {
    const window = new CongestionWindow(1000)
    reply(window, 100, 50)
    window.onTick()
    const { size } = window
    reply(window, 100, 40)
    window.onTick()
    expect(window.size).toBe(Math.floor(size * 0.75))
  })

  it("shrinks the window again if the loss returns after a time without loss", () => {
    const window = new CongestionWindow(1000)
    for (const resent of [20, 0]) {
      reply(window, 100, resent)
      window.onTick()
    }
    const { size } = window
    reply(window, 100, 20)
    window.onTick()
    expect(window.size).toBe(Math.floor(size * 0.75))
  })
})
