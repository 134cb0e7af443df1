/**
 * Inflating bzip2, which servers of some Source games put around large replies. Compressing is the server package's matter.
 */
import type * as Result from "effect/Result"
import { fail, succeed } from "./internal/result.ts"
import { ChecksumMismatch, LimitExceeded, type Malformed } from "./Errors.ts"
import { malformed } from "./internal/malformed.ts"
import { Corrupt } from "./internal/bunzip2/bits.ts"
import { inflateStream } from "./internal/bunzip2/inflate.ts"
import { MAX_INFLATED_BYTES } from "./Limits.ts"

/**
 * Inflates `compressed`, which must give exactly `expectedBytes`, the size that the reply's header announces.
 *
 * Nothing is allocated for an announcement beyond `maxBytes` (`LimitExceeded`), and inflating ends at the first byte that was
 * not announced: `ChecksumMismatch` of `size`, whose `actual` then is one more than `expected`.
 */
export const inflate = (
  compressed: Uint8Array,
  expectedBytes: number,
  maxBytes: number = MAX_INFLATED_BYTES
): Result.Result<Uint8Array, Malformed | ChecksumMismatch | LimitExceeded> => {
  if (expectedBytes > maxBytes) {
    const message = `a compressed reply announces ${expectedBytes} bytes, more than ${maxBytes}`
    return fail(new LimitExceeded({ message, limit: "MAX_INFLATED_BYTES", max: maxBytes }))
  }
  try {
    const inflated = inflateStream(compressed, expectedBytes)
    if (inflated?.length === expectedBytes) return succeed(inflated)
    const actual = inflated?.length ?? expectedBytes + 1
    const message = `a compressed reply of ${expectedBytes} bytes inflates to ${inflated?.length ?? "more"}`
    return fail(new ChecksumMismatch({ message, of: "size", expected: expectedBytes, actual }))
  } catch (cause) {
    if (!(cause instanceof Corrupt)) throw cause
    return fail(
      malformed("Split", compressed, "compressed", 0, `a compressed reply is no valid bzip2: ${cause.reason}`)
    )
  }
}
