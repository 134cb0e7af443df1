/** The worker that `inPage.ts` starts. It runs the network in memory, so that the page stays responsive. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { makeMemoryHosts } from "./MemoryHosts.ts"
import { plain } from "./plain.ts"
import type { Order, Report } from "./messages.ts"

const perform = Effect.runSync(makeMemoryHosts)

const running = new Map<number, Fiber.Fiber<unknown, unknown>>()

const report = (report: Report): void => postMessage(report)

const explainCause = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

addEventListener("message", ({ data: order }: MessageEvent<Order>) => {
  const { id } = order
  if (order.method === "STOP") {
    const fiber = running.get(id)
    if (fiber !== undefined) Effect.runFork(Fiber.interrupt(fiber))
    return
  }
  const outcome = perform(order)
  const effect: Effect.Effect<unknown, unknown> =
    "result" in outcome
      ? outcome.result
      : Stream.runForEach(outcome.events, (event) => Effect.sync(() => report({ id, event: plain(event) })))
  const fiber = Effect.runFork(effect)
  running.set(id, fiber)
  fiber.addObserver((exit) => {
    running.delete(id)
    report(Exit.isSuccess(exit) ? { id, result: exit.value } : { id, failure: explainCause(exit.cause) })
  })
})
