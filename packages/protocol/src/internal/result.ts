/**
 * Effect's `Result`, made without the modules that its own maker brings along (hashing, equality, formatting): they would be half of a
 * bundle that only decodes. Every function of `effect/Result` takes these for its own.
 */
import type * as Result from "effect/Result"

type Maker = new (value: unknown) => never

const identity = <A>(value: A): A => value

// One call that bundlers can leave out: assignments to a prototype would stay.
const makers = /* @__PURE__ */ (() => {
  /** What both kinds have. */
  const shared = {
    "~effect/Result": { _A: identity, _E: identity },
    pipe(...functions: ReadonlyArray<(value: unknown) => unknown>): unknown {
      return functions.reduce((value, each) => each(value), this as unknown)
    },
    *[Symbol.iterator](): Generator<unknown, unknown> {
      return yield this
    },
    toString(): string {
      return JSON.stringify(this)
    },
    [Symbol.for("nodejs.util.inspect.custom")](this: { readonly toJSON: () => object }): object {
      return this.toJSON()
    }
  }
  const Success = function (this: { success: unknown }, value: unknown): void {
    this.success = value
  }
  Success.prototype = {
    __proto__: shared,
    _tag: "Success",
    _op: "Success",
    toJSON(this: Result.Success<unknown, unknown>): object {
      return { _id: "Result", _tag: "Success", value: this.success }
    }
  }
  const Failure = function (this: { failure: unknown }, value: unknown): void {
    this.failure = value
  }
  Failure.prototype = {
    __proto__: shared,
    _tag: "Failure",
    _op: "Failure",
    toJSON(this: Result.Failure<unknown, unknown>): object {
      return { _id: "Result", _tag: "Failure", failure: this.failure }
    }
  }
  return { Success: Success as unknown as Maker, Failure: Failure as unknown as Maker }
})()

/** What went well. */
export const succeed = <A>(value: A): Result.Result<A> => new makers.Success(value)

/** What went wrong. */
export const fail = <E>(error: E): Result.Result<never, E> => new makers.Failure(error)

/** Whether it went wrong. */
export const isFailure = <A, E>(result: Result.Result<A, E>): result is Result.Failure<A, E> =>
  result._tag === "Failure"
