import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { iterate } from "../../src/client/iterate.ts"
import { start } from "../../src/client/Running.ts"

class Transport extends Context.Service<Transport, { readonly name: string }>()("test/Transport") {}

/** Returns a transport, and a server that uses this transport. Both add their names to `ended` when they close. */
const setUp = () => {
  const ended: Array<string> = []
  const recordEnd = (what: string) => Effect.addFinalizer(() => Effect.sync(() => ended.push(what)))
  const transport = Layer.effect(Transport, Effect.as(recordEnd("transport"), { name: "udp" }))
  return { ended, transport, make: Effect.andThen(recordEnd("server"), Transport) }
}

/** Returns the reason of a rejected promise. */
const catchReason = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing",
    (reason: unknown) => reason
  )

const signals = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort("enough") }
}

describe("a service", () => {
  it("releases its resources once, even if it is closed several times", async () => {
    const { ended, make, transport } = setUp()
    const { closable, run, value } = await start("It", transport, make)
    assert.strictEqual(value.name, "udp")
    assert.strictEqual(await run(Effect.map(Transport, ({ name }) => name)), "udp")
    await Promise.all([closable.close(), closable.close()])
    await closable[Symbol.asyncDispose]()
    assert.deepEqual(ended, ["server", "transport"])
  })

  it("leaves nothing open if its start fails or is interrupted", async () => {
    for (const end of [Effect.fail("in use"), Effect.never]) {
      const { ended, make, transport } = setUp()
      const { abort, signal } = signals()
      const starting = catchReason(start("It", transport, Effect.andThen(make, end), { signal }))
      if (end === Effect.never) setTimeout(abort)
      assert.strictEqual(await starting, end === Effect.never ? "enough" : "in use")
      assert.deepEqual(ended, ["server", "transport"])
    }
  })

  it("does not start, and reports InvalidOption, if the transport is invalid", async () => {
    let started = 0
    const make = Effect.sync(() => started++)
    const reason = await catchReason(start("It", "udp" as never, make))
    assert.include(reason, { _tag: "InvalidOption", option: "transport" })
    assert.strictEqual(started, 0)
  })
})

describe("a call", () => {
  it("rejects with the failure or the defect of its Effect (the same object, not a copy)", async () => {
    const { make, transport } = setUp()
    const { closable, run } = await start("It", transport, make)
    const error = { _tag: "Timeout" }
    assert.strictEqual(await catchReason(run(Effect.fail(error))), error)
    assert.strictEqual(await catchReason(run(Effect.die(error))), error)
    await closable.close()
  })

  it("rejects with the signal's reason if the signal is aborted, and releases its resources", async () => {
    const { make, transport } = setUp()
    const { closable, run } = await start("It", transport, make)
    const { abort, signal } = signals()
    let freed = 0
    const call = Effect.onInterrupt(Effect.never, () => Effect.sync(() => freed++))
    const calling = catchReason(run(call, { signal }))
    setTimeout(abort)
    assert.strictEqual(await calling, "enough")
    assert.strictEqual(freed, 1)
    // The signal was aborted before the call, so the call does not start.
    let begun = 0
    const begin = Effect.sync(() => begun++)
    assert.strictEqual(await catchReason(run(begin, { signal })), "enough")
    assert.strictEqual(begun, 0)
    assert.include(await catchReason(run(Effect.void, { signal: "abort" as never })), { option: "signal" })
    await closable.close()
  })

  it("rejects with ConnectionClosed if the service is closed before or during the call", async () => {
    const { make, transport } = setUp()
    const { closable, run } = await start("It", transport, make)
    const calling = catchReason(run(Effect.never))
    await closable.close()
    for (const reason of [await calling, await catchReason(run(Effect.void))]) {
      assert.include(reason, { _tag: "ConnectionClosed", message: "It is closed." })
    }
  })
})

describe("a stream", () => {
  const recorded = () => {
    const ended: Array<string> = []
    const source = Stream.concat(Stream.make(1, 2), Stream.never).pipe(
      Stream.ensuring(Effect.sync(() => ended.push("source")))
    )
    return { ended, source }
  }

  it("releases its resources if a `for await` loop over the stream ends early", async () => {
    const { ended, source } = recorded()
    for await (const number of iterate(source)) if (number === 2) break
    assert.deepEqual(ended, ["source"])
  })

  it("fails with the signal's reason if the signal is aborted, and releases its resources", async () => {
    const { ended, source } = recorded()
    const { abort, signal } = signals()
    const read: Array<number> = []
    const reading = async () => {
      for await (const number of iterate(source, { signal })) if (read.push(number) === 2) setTimeout(abort)
    }
    assert.strictEqual(await catchReason(reading()), "enough")
    assert.deepEqual(read, [1, 2])
    assert.deepEqual(ended, ["source"])
    assert.strictEqual(await catchReason(iterate(source, { signal }).next()), "enough")
  })
})
