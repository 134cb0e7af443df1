import { describe, expect, it } from "vitest"
import { ResultBuffer, type Taken } from "../../src/scan/resultBuffer.ts"
import { ManualTiming } from "../manualTiming.ts"

const BATCH_MS = 10
/** Number of results in a full batch. */
const FULL = 32

const setUp = () => {
  const timing = new ManualTiming()
  let calls = 0
  const buffer = new ResultBuffer<number, string>(timing, () => void calls++, BATCH_MS)
  const taken: Array<Taken<number, string>> = []
  const take = () => buffer.take((one) => taken.push(one))
  const push = (count: number) => {
    for (let i = 0; i < count; i++) buffer.push(i)
  }
  return { timing, buffer, taken, take, push, calls: () => calls }
}

const sizes = (taken: ReadonlyArray<Taken<number, string>>) =>
  taken.map((one) => (one._tag === "Batch" ? one.results.length : one._tag))

describe("a reader of results", () => {
  it("gets all waiting results immediately, in the order of their arrival", () => {
    const { buffer, calls, take, taken } = setUp()
    buffer.push(1)
    buffer.push(2)
    take()
    expect(taken).toEqual([{ _tag: "Batch", results: [1, 2] }])
    expect(buffer.batch).toEqual([])
    expect(calls()).toBe(1)
  })

  it("gets an incomplete batch after 10 ms", () => {
    const { push, take, taken, timing } = setUp()
    take()
    push(3)
    timing.advance(BATCH_MS - 1)
    expect(taken).toEqual([])
    timing.advance(1)
    expect(sizes(taken)).toEqual([3])
  })

  it("gets a full batch immediately", () => {
    const { push, take, taken, timing } = setUp()
    take()
    push(FULL - 1)
    expect(taken).toEqual([])
    push(1)
    expect(sizes(taken)).toEqual([FULL])
    // The timer for the incomplete batch is still set, but its callback now does nothing.
    expect(timing.timers.size).toBe(1)
    timing.advance(BATCH_MS)
    expect(sizes(taken)).toEqual([FULL])
  })

  it("gets one batch per read, and no batch without a read", () => {
    const { buffer, push, take, taken, timing } = setUp()
    take()
    push(FULL + 5)
    expect(sizes(taken)).toEqual([FULL])
    expect(buffer.batch).toHaveLength(5)
    timing.advance(100)
    expect(sizes(taken)).toEqual([FULL])
    take()
    expect(sizes(taken)).toEqual([FULL, 5])
  })

  it("needs no timer while no read is pending", () => {
    const { push, timing } = setUp()
    push(5)
    expect(timing.timers.size).toBe(0)
  })

  it("needs only one timer for several results", () => {
    const { push, take, timing } = setUp()
    take()
    push(5)
    expect(timing.timers.size).toBe(1)
  })

  it("gets nothing after it was removed", () => {
    const { buffer, push, take, taken, timing } = setUp()
    take()
    push(1)
    buffer.forget()
    expect(timing.timers.size).toBe(0)
    push(FULL)
    expect(taken).toEqual([])
  })
})

describe("the end of results", () => {
  it("is reported to every read after the last batch", () => {
    const { buffer, push, take, taken, timing } = setUp()
    take()
    push(2)
    buffer.finish()
    expect(timing.timers.size).toBe(0)
    take()
    take()
    expect(sizes(taken)).toEqual([2, "End", "End"])
  })

  it("is reported immediately to a waiting reader", () => {
    const { buffer, calls, take, taken } = setUp()
    take()
    buffer.finish()
    expect(sizes(taken)).toEqual(["End"])
    expect(calls()).toBe(0)
  })

  it("is stored until the next read", () => {
    const { buffer, take, taken } = setUp()
    buffer.finish()
    expect(taken).toEqual([])
    take()
    expect(sizes(taken)).toEqual(["End"])
  })

  it("can be a failure, and stays a failure if the buffer is finished afterwards", () => {
    const { buffer, take, taken } = setUp()
    buffer.endWith({ _tag: "Failure", error: "why" })
    buffer.finish()
    take()
    expect(taken).toEqual([{ _tag: "Failure", error: "why" }])
  })
})
