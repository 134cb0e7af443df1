/** Whose turn it is: at once where few ask, or in line. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { Admission } from "../../src/client/admission.ts"
import { FIRST_WINDOW } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

const setUp = (room = Number.POSITIVE_INFINITY) => {
  const timing = new ManualTiming()
  const admission = new Admission(timing, () => room)
  const begun: Array<string> = []
  /** Asks until the function that is returned is called. */
  const enter = (server: string, name = server): (() => void) => {
    let end: (() => void) | undefined
    const use = Effect.callback<void>((resume) => {
      begun.push(name)
      end = () => resume(Effect.void)
    })
    const fiber = Effect.runFork(admission.inTurn(server, use))
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit) && Cause.hasFails(exit.cause)) begun.push(`${name} closed`)
    })
    return () => (end === undefined ? fiber.interruptUnsafe() : end())
  }
  const fill = (count: number) => Array.from({ length: count }, (_, i) => enter(`${i}`))
  return { admission, begun, enter, fill, timing }
}

it("few calls have their turn when they come, however often", () => {
  const { begun, fill, timing } = setUp()
  for (let i = 0; i < 10; i++) for (const leave of fill(FIRST_WINDOW)) leave()
  expect(begun).toHaveLength(10 * FIRST_WINDOW)
  expect(timing.timers.size).toBe(0)
})

it("a server that is asked already is asked the next when that is over, also by who came before there was a line", () => {
  const { begun, enter } = setUp()
  const first = enter("A", "A1")
  enter("B")
  const second = enter("A", "A2")
  expect(begun).toEqual(["A1", "B"])
  first()
  expect(begun).toEqual(["A1", "B", "A2"])
  enter("A", "A3")
  second()
  expect(begun).toEqual(["A1", "B", "A2", "A3"])
})

it("one more than the first window has waits, and those who ask count", () => {
  const { begun, enter, fill, timing } = setUp()
  const [first] = fill(FIRST_WINDOW)
  enter("more")
  expect([begun.length, timing.timers.size]).toEqual([FIRST_WINDOW, 1])
  first!()
  expect([begun.at(-1), timing.timers.size]).toEqual(["more", 0])
})

it("answers open the window for those who wait", () => {
  const { admission, begun, fill, timing } = setUp()
  fill(3 * FIRST_WINDOW)
  for (let i = 0; i < FIRST_WINDOW; i++) admission.onAnswer(timing.time, false)
  expect(begun).toHaveLength(2 * FIRST_WINDOW)
})

it("where there are sockets for fewer, the rest waits", () => {
  const { begun, fill } = setUp(3)
  fill(5)
  expect(begun).toHaveLength(3)
})

it("whoever gives up while he waits is not asked for any more", () => {
  const { begun, enter } = setUp()
  const first = enter("A", "A1")
  const second = enter("A", "A2")
  enter("A", "A3")
  second()
  first()
  expect(begun).toEqual(["A1", "A3"])
})

it("closed, it turns everybody away who waits or comes, and leaves no timer", () => {
  const { admission, begun, enter, timing } = setUp()
  enter("A", "A1")
  enter("A", "A2")
  admission.close()
  enter("B")
  expect(begun).toEqual(["A1", "A2 closed", "B closed"])
  expect(timing.timers.size).toBe(0)
  const alone = setUp()
  alone.admission.close()
  alone.enter("A")
  expect(alone.begun).toEqual(["A closed"])
})
