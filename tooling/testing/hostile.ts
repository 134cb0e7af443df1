/**
 * Calls functions with arguments that their types do not allow. Each call must either return a value or fail with one of our errors. The
 * error must describe the problem in a sentence, and name the invalid option. A call must not fail with a `TypeError` of the engine.
 */
import * as Result from "effect/Result"
import * as vm from "node:vm"

const throwing = (): never => {
  throw new Error("a property that must not be read")
}

/** An error that is thrown by a function in the arguments. A call may pass this error on to its caller. */
class CallersOwn extends Error {}

class Odd {
  readonly #secret = 1
  get timeoutMs(): number {
    return this.#secret / 0
  }
}

const detached = (): Uint8Array => {
  const bytes = new Uint8Array(16)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

/** Functions that create invalid values, by description. Each call gets a new value, because the called function may change the value. */
const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  "-1": () => -1,
  "0.5": () => 0.5,
  "1e21": () => 1e21,
  true: () => true,
  "an empty text": () => "",
  "a text": () => "foo",
  "a NUL": () => "\0",
  "half a surrogate pair": () => "\ud800",
  "a long text": () => "x".repeat(70_000),
  "the name of a method": () => "constructor",
  "the prototype's name": () => "__proto__",
  "an empty object": () => ({}),
  "an empty array": () => [],
  "an array of null": () => [null],
  "an array of numbers": () => [255, 255, 255, 255, 0x49],
  "an object without prototype": () => Object.create(null) as unknown,
  "a symbol": () => Symbol("foo"),
  "a bigint": () => 1n,
  "a function": () => () => undefined,
  "a function that throws": () => () => {
    throw new CallersOwn("thrown by the caller")
  },
  "a class": () => Odd,
  "an instance": () => new Odd(),
  "a frozen object": () => Object.freeze({ host: 5, port: "x", _tag: "nope" }),
  "a proxy that throws": () => new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing }),
  "a getter that throws": () => Object.defineProperty({}, "timeoutMs", { get: throwing, enumerable: true }),
  "a promise": () => Promise.resolve("foo"),
  "a date": () => new Date(0),
  "an invalid date": () => new Date(Number.NaN),
  "a regular expression": () => /x/,
  "a map": () => new Map([["timeoutMs", 1]]),
  "an error": () => new Error("foo"),
  "a String object": () => Object("foo") as unknown,
  "a Buffer": () => Buffer.from("ffffffff49", "hex"),
  "bytes of another realm": () => vm.runInNewContext("Uint8Array.of(255, 255, 255, 255, 0x49)") as unknown,
  "shared bytes": () => new Uint8Array(new SharedArrayBuffer(16)).fill(255),
  "detached bytes": detached,
  "a DataView": () => new DataView(new ArrayBuffer(8)),
  "an ArrayBuffer": () => new ArrayBuffer(8),
  "an array of floats": () => new Float64Array(4)
}

/** Words that occur only in error messages of the JavaScript engine. */
const RAW =
  /is not (iterable|defined|a constructor)|\b[\w.]+\.\w+ is not a function|Cannot (read|convert|mix|destructure)|\[object|undefined is not (a function|iterable|an object)/

const NOT_OURS = "not an error of ours"

/**
 * Checks the error of a call. Returns a description of the problem, or `undefined` if the error is a valid error of ours, or an error of
 * the caller.
 */
const findErrorProblem = (error: unknown): string | undefined => {
  if (error instanceof CallersOwn || (error instanceof Error && error.message.startsWith("Class constructor Odd")))
    return
  if (typeof error !== "object" || error === null || !("_tag" in error) || typeof error._tag !== "string") {
    return `${NOT_OURS}: ${error instanceof Error ? `${error.name}: ${error.message} ${(error.stack ?? "").split("\n").slice(1, 4).join(" ")}` : typeof error}`
  }
  const { message, option } = error as { readonly message?: unknown; readonly option?: unknown }
  if (typeof message !== "string" || message.length < 10 || RAW.test(message)) return `no sentence: ${String(message)}`
  if (message.length > 2000) return `a sentence of ${message.length} characters`
  if (!("option" in error)) return undefined
  if (typeof option !== "string" || option === "") return `${error._tag} names no option: ${message}`
  return undefined
}

/** Maximum duration of a call, in ms. No hostile call waits for a network. */
const LONGEST_MS = 100_000

const tooLong = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no end within ${LONGEST_MS} ms`)), LONGEST_MS).unref()
  })

/** Whether a value is a failed `Result`. If a hostile value throws an error when it is read, the value is not a `Result`. */
const hasFailed = (value: unknown): value is Result.Failure<unknown, unknown> => {
  try {
    return Result.isResult(value) && Result.isFailure(value)
  } catch {
    return false
  }
}

/**
 * Makes a call, and checks its outcome. Returns a description of the problem, or `undefined` if the outcome is valid. If the call returns a
 * failed `Result`, this function checks the error in this `Result`.
 */
const checkCall = async (call: () => unknown): Promise<string | undefined> => {
  try {
    const given: unknown = call()
    // Only real promises are awaited, because another value with a `then` may never settle.
    const value: unknown = given instanceof Promise ? await Promise.race([given, tooLong()]) : given
    return hasFailed(value) ? findErrorProblem(value.failure) : undefined
  } catch (error) {
    return findErrorProblem(error)
  }
}

/** A function that is called with arguments of any kind. */
export type Call = (...args: ReadonlyArray<never>) => unknown

/** A function and its valid arguments. Each test call replaces one argument, or one property of a plain object, with a hostile value. */
export interface Row {
  readonly call: Call
  readonly good: ReadonlyArray<() => unknown>
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !("declaration" in value)

/**
 * Generates lists of arguments. In each list, only one argument is hostile, or only one property of an argument that is a plain object. All
 * other arguments and properties are valid.
 */
const hostileCalls = function* (good: Row["good"]): Generator<readonly [name: string, args: ReadonlyArray<unknown>]> {
  for (const [at, argument] of good.entries()) {
    const having = (value: unknown) => good.map((other, i) => (i === at ? value : other()))
    for (const [name, make] of Object.entries(hostileValues)) yield [`argument ${at}: ${name}`, having(make())]
    const options = argument()
    if (!isPlain(options)) continue
    for (const key of Object.keys(options)) {
      const made = () => ({ ...(argument() as object) })
      for (const [name, make] of Object.entries(hostileValues))
        yield [`argument ${at}.${key}: ${name}`, having({ ...made(), [key]: make() })]
      const getter = Object.defineProperty(made(), key, { get: throwing, enumerable: true })
      yield [`argument ${at}.${key}: a getter that throws`, having(getter)]
    }
  }
}

/** Makes all hostile calls in parallel, and returns descriptions of the problems. */
export const complaints = async ({ call, good }: Row): Promise<ReadonlyArray<string>> => {
  const ends = await Promise.all(
    Array.from(hostileCalls(good), async ([name, args]) => {
      const complaint = await checkCall(() => call(...(args as ReadonlyArray<never>)))
      return complaint === undefined ? [] : [`${name}: ${complaint}`]
    })
  )
  return ends.flat()
}

/** Whether a value is an error class. The constructors of error classes are not tested, because users do not call them. */
const isError = (value: unknown): boolean => typeof value === "function" && value.prototype instanceof Error
const isModule = (value: unknown): value is object => Object.prototype.toString.call(value) === "[object Module]"

/** Names of all functions that a module exports, including functions of exported modules. */
export const listFunctions = (module: object, prefix = ""): ReadonlyArray<string> =>
  Object.entries(module).flatMap(([name, value]) => {
    if (isModule(value)) return listFunctions(value, `${name}.`)
    return typeof value === "function" && !isError(value) ? [`${prefix}${name}`] : []
  })
