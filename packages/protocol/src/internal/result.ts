/**
 * Effect's `Result`, made without the modules that its own maker brings along (hashing, equality, formatting): they would be half of a
 * bundle that only decodes. Every function of `effect/Result` takes these for its own.
 */
import type * as Result from "effect/Result"
import { resultKind } from "./resultKind.ts"

const Success = /* @__PURE__ */ resultKind("Success", "value", function (value) {
  this.success = value
})
const Failure = /* @__PURE__ */ resultKind("Failure", "failure", function (error) {
  this.failure = error
})

/** What went well. */
export const succeed = <A>(value: A): Result.Result<A> => new Success(value)

/** What went wrong. */
export const fail = <E>(error: E): Result.Result<never, E> => new Failure(error)
