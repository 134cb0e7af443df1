/** Whose turn it is: at once where few ask, or in line. */
import { expect, it } from "vitest"
import type { Turn } from "../../src/client/admission.ts"
import { Admission } from "../../src/client/admission.ts"
import { FIRST_WINDOW } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

const setUp = (room = Number.POSITIVE_INFINITY) => {
  const timing = new ManualTiming()
  const admission = new Admission(timing, () => room)
  const begun: Array<string> = []
  const enter = (server: string, name = server): Turn => {
    const turn: Turn = { server, onTurn: (isOpen) => begun.push(isOpen ? name : `${name} closed`) }
    admission.enter(turn)
    return turn
  }
  const fill = (count: number) => Array.from({ length: count }, (_, i) => enter(`${i}`))
  return { admission, begun, enter, fill, timing }
}

it("few calls have their turn when they come, however often", () => {
  const { admission, begun, fill, timing } = setUp()
  for (let i = 0; i < 10; i++) for (const turn of fill(FIRST_WINDOW)) admission.leave(turn)
  expect(begun).toHaveLength(10 * FIRST_WINDOW)
  expect(timing.timers.size).toBe(0)
})

it("a server that is asked already is asked the next when that is over, also by who came before there was a line", () => {
  const { admission, begun, enter } = setUp()
  const first = enter("A", "A1")
  enter("B")
  const second = enter("A", "A2")
  expect(begun).toEqual(["A1", "B"])
  admission.leave(first)
  expect(begun).toEqual(["A1", "B", "A2"])
  enter("A", "A3")
  admission.leave(second)
  expect(begun).toEqual(["A1", "B", "A2", "A3"])
})

it("one more than the first window has waits, and those who ask count", () => {
  const { admission, begun, enter, fill, timing } = setUp()
  const [first] = fill(FIRST_WINDOW)
  enter("more")
  expect([begun.length, timing.timers.size]).toEqual([FIRST_WINDOW, 1])
  admission.leave(first!)
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

it("whoever never came, or has left, changes nothing", () => {
  const { admission, begun, enter } = setUp()
  const first = enter("A", "A1")
  admission.leave({ server: "A", onTurn: () => begun.push("never") })
  enter("A", "A2")
  expect(begun).toEqual(["A1"])
  admission.leave(first)
  admission.leave(first)
  expect(begun).toEqual(["A1", "A2"])
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
