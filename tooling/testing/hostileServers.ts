/**
 * Passes invalid arguments to functions that start a server or a client over a transport. Each call must close everything that it opened,
 * and must not leave a rejection unhandled.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, expect } from "vitest"
import type { Call } from "./hostile.ts"

type Anything = (...args: ReadonlyArray<never>) => unknown

/**
 * Returns two wrappers. Each wrapper turns a function into a {@link Call}, which `complaints` in hostile.ts can test. The wrapper `effect`
 * is for functions that return an effect, and runs this effect over the transport. The wrapper `started` is for functions that return a
 * disposable object, and disposes of this object.
 */
export const overTransport = <R>(transport: Layer.Layer<R>, openSockets: () => number) => {
  const unhandled: Array<unknown> = []
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
  beforeAll(() => void process.on("unhandledRejection", onUnhandled))
  afterAll(() => {
    process.off("unhandledRejection", onUnhandled)
    expect(unhandled).toEqual([])
    expect(openSockets()).toBe(0)
  })
  const effect =
    (make: unknown): Call =>
    async (...args) => {
      const program = (make as Anything)(...args) as Effect.Effect<unknown, unknown, R>
      const exit = await Effect.runPromiseExit(Effect.scoped(program).pipe(Effect.provide(transport)))
      if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
      return exit.value
    }
  const started =
    (start: unknown): Call =>
    async (...args) =>
      (await ((start as Anything)(...args) as Promise<AsyncDisposable>))[Symbol.asyncDispose]()
  return { effect, started }
}
