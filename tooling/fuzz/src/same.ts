/**
 * Whether two values say the same. Unlike Node's strict comparison it does not look at classes: messages made by the fast decoders
 * are of another than those made by the interpreter.
 *
 * @module
 */
import * as Result from "effect/Result"

/** See the module. `NaN` equals itself, −0 does not equal 0. An error is compared by its fields. */
export const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Result.isResult(a) && Result.isResult(b)) {
    if (Result.isSuccess(a)) return Result.isSuccess(b) && same(a.success, b.success)
    return Result.isFailure(b) && same({ ...(a.failure as object) }, { ...(b.failure as object) })
  }
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
    return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b as Uint8Array)
  const keys = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same((a as Fields)[key], (b as Fields)[key]))
  )
}

type Fields = Readonly<Record<string, unknown>>
