import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { fail, succeed } from "../../src/internal/result.ts"

const good = (): Result.Result<number, string> => succeed(1)
const bad = (): Result.Result<number, string> => fail("no")

describe("a result that was created without Effect's constructors", () => {
  it("is accepted by the functions of Effect", () => {
    expect([good(), bad()].map(Result.isResult)).toEqual([true, true])
    expect([good(), bad()].map(Result.isSuccess)).toEqual([true, false])
    expect(
      good().pipe(
        Result.map((n) => n + 1),
        Result.getOrThrow
      )
    ).toBe(2)
    expect(Result.match(bad(), { onFailure: (e) => e, onSuccess: String })).toBe("no")
    expect(Result.isFailure(Result.all([good(), bad()]))).toBe(true)
    expect(Effect.runSync(Effect.flip(Effect.fromResult(bad())))).toBe("no")
  })

  it("can be unwrapped with `yield*`, which stops at the first failure", () => {
    const sum = (other: Result.Result<number, string>) =>
      Result.gen(function* () {
        return (yield* good()) + (yield* other)
      })
    expect(Result.getOrThrow(sum(good()))).toBe(2)
    expect(sum(bad())).toMatchObject({ _tag: "Failure", failure: "no" })
  })

  it.each([
    [good(), Result.succeed(1)],
    [bad(), Result.fail("no")]
  ])("has the same properties and texts as a result of Effect: %s", (ours, theirs) => {
    expect(ours).toEqual(theirs)
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
    expect(inspect(ours)).toBe(inspect(theirs))
    expect(Object.keys(ours)).toEqual(Object.keys(theirs))
    expect(String(ours)).toBe(JSON.stringify(theirs))
  })

  it("equals a result with the same content", () => {
    expect(Equal.equals(good(), good())).toBe(true)
    expect(Equal.equals(good(), succeed(2))).toBe(false)
    expect(Equal.equals(bad(), bad())).toBe(true)
    expect(Equal.equals(good(), bad())).toBe(false)
  })
})
