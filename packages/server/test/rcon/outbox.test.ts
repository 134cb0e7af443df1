import { assert, describe, it } from "@effect/vitest"
import { AUTH_RESPONSE, RESPONSE_VALUE } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import type { SegmentFault } from "../../src/rcon/outbox.ts"
import { Outbox } from "../../src/rcon/outbox.ts"

const packet = (type: number, bytes: number): SourceRconPacket => ({ id: 1, type, body: new Uint8Array(bytes) })

/**
 * Creates an outbox. `sizes` contains the sizes of the segments that the outbox sent, and `delays` the delays of all timers, in ms. `tick`
 * runs the next timer.
 */
const makeOutbox = (fault?: SegmentFault) => {
  const sizes: Array<number> = []
  const delays: Array<number> = []
  const timers: Array<() => void> = []
  const outbox = new Outbox(
    (bytes) => void sizes.push(bytes.length),
    (ms, then) => {
      delays.push(ms)
      timers.push(then)
    },
    fault
  )
  return { delays, outbox, sizes, tick: () => timers.shift()?.() }
}

describe("Outbox", () => {
  it("sends packets that are pushed together as one segment", () => {
    const { outbox, sizes } = makeOutbox()
    outbox.push([packet(RESPONSE_VALUE, 10), packet(RESPONSE_VALUE, 0)])
    assert.deepStrictEqual(sizes, [38])
  })

  it("sends the result of a login as a new segment after a pause; packets that are queued during the pause follow the result", () => {
    const { outbox, sizes, tick } = makeOutbox()
    outbox.push([packet(RESPONSE_VALUE, 0), packet(AUTH_RESPONSE, 0)])
    outbox.push([packet(RESPONSE_VALUE, 10)])
    assert.deepStrictEqual(sizes, [14])
    assert.strictEqual(outbox.queuedBytes, 38)
    tick()
    assert.deepStrictEqual(sizes, [14, 14, 24])
  })

  it("divides the stream into segments of a given size, or at given positions", () => {
    const small = makeOutbox({ segmentBytes: 10 })
    small.outbox.push([packet(RESPONSE_VALUE, 10)])
    assert.deepStrictEqual(small.sizes, [10, 10, 4])

    const cut = makeOutbox({ cutAt: [3, 20] })
    cut.outbox.push([packet(RESPONSE_VALUE, 0)])
    assert.deepStrictEqual(cut.sizes, [3])
    cut.tick()
    cut.outbox.push([packet(RESPONSE_VALUE, 0)])
    assert.deepStrictEqual(cut.sizes, [3, 11, 6])
    cut.tick()
    assert.deepStrictEqual(cut.sizes, [3, 11, 6, 8])
  })

  it("if `joinMs` is set, delays a segment, and adds the packets that are queued during the delay to this segment", () => {
    const { delays, outbox, sizes, tick } = makeOutbox({ joinMs: 50 })
    outbox.push([packet(RESPONSE_VALUE, 0), packet(AUTH_RESPONSE, 0)])
    outbox.push([packet(RESPONSE_VALUE, 10)])
    assert.deepStrictEqual([sizes, delays], [[], [50]])
    tick()
    assert.deepStrictEqual(sizes, [52])
  })

  it("if `joinMs` is set, sends the next packets as another segment with the same delay after a delayed segment was sent", () => {
    const { delays, outbox, sizes, tick } = makeOutbox({ joinMs: 50 })
    outbox.push([])
    assert.deepStrictEqual(delays, [])
    outbox.push([packet(RESPONSE_VALUE, 0)])
    tick()
    outbox.push([packet(RESPONSE_VALUE, 10)])
    assert.deepStrictEqual([sizes, delays], [[14], [50, 50]])
    tick()
    assert.deepStrictEqual(sizes, [14, 24])
  })

  it("sends the result of a login immediately if no other packet precedes the result", () => {
    const { outbox, sizes } = makeOutbox()
    outbox.push([packet(AUTH_RESPONSE, 0), packet(RESPONSE_VALUE, 0)])
    assert.deepStrictEqual(sizes, [28])
  })
})
