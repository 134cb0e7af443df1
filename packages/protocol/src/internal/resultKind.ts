/** The methods of a `Result` of one kind (success or failure). They are compatible with the methods of Effect's `Result`. */

/** A `Result` under construction. */
interface Made {
  success?: unknown
  failure?: unknown
}

const identity = <A>(value: A): A => value

/** Creates the constructor for one kind of results. `shownAs` is the key of the value in JSON. */
export const resultKind = (
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
