/**
 * Effect's `Result`, made without the modules that its own maker brings along (hashing, equality, formatting): they would be half of a
 * bundle that only decodes. Every function of `effect/Result` takes these for its own.
 */
import type * as Result from "effect/Result"

/** While it is being made. */
interface Made {
  success?: unknown
  failure?: unknown
}

const identity = <A>(value: A): A => value

/** A constructor for one kind, which can do what Effect's can. `shownAs` is what its JSON calls the value. */
const resultKind = (
  tag: "Success" | "Failure",
  shownAs: "value" | "failure",
  assign: (this: Made, value: unknown) => void
): new (value: unknown) => never => {
  assign.prototype = {
    "~effect/Result": { _A: identity, _E: identity },
    _tag: tag,
    _op: tag,
    pipe(...functions: ReadonlyArray<(value: unknown) => unknown>): unknown {
      return functions.reduce((value, each) => each(value), this as unknown)
    },
    *[Symbol.iterator](): Generator<unknown, unknown> {
      return yield this
    },
    toJSON(this: Made): object {
      return { _id: "Result", _tag: tag, [shownAs]: tag === "Success" ? this.success : this.failure }
    },
    toString(): string {
      return JSON.stringify(this)
    },
    [Symbol.for("nodejs.util.inspect.custom")](this: { readonly toJSON: () => object }): object {
      return this.toJSON()
    }
  }
  return assign as never
}

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
