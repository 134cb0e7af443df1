/**
 * Minimises a failing input. Removes parts and ranges of bytes, and replaces bytes with zeros. A change is kept only if the changed input
 * causes a failure with the same signature.
 */
import type { Input, Target } from "../Target.ts"
import { type Failure, runOne, failureSignature } from "./campaign.ts"
import type { Counters } from "./Counters.ts"

/** Maximum number of runs to minimise one input. */
const MAX_ATTEMPTS = 5000

const without = (bytes: Uint8Array, from: number, length: number): Uint8Array =>
  Uint8Array.of(...bytes.subarray(0, from), ...bytes.subarray(from + length))

/** Smaller or simpler variants of an input. For each part, the variants from which most bytes are removed come first. */
function* candidates(input: Input): Generator<Input> {
  if (input.length > 1) for (let i = input.length - 1; i >= 0; i--) yield input.toSpliced(i, 1)
  for (const [index, part] of input.entries()) {
    for (let length = part.length; length >= 1; length = Math.floor(length / 2)) {
      for (let from = 0; from + length <= part.length; from += length)
        yield input.with(index, without(part, from, length))
    }
  }
  for (const [index, part] of input.entries()) {
    for (let at = 0; at < part.length; at++) if (part[at] !== 0) yield input.with(index, part.with(at, 0))
  }
}

export const minimise = async (target: Target, failure: Failure, counters: Counters): Promise<Failure> => {
  const signature = failureSignature(failure.error)
  let best = failure
  let attempts = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const input of candidates(best.input)) {
      if (attempts++ > MAX_ATTEMPTS) return best
      const { error } = await runOne(target, input, counters)
      if (error === undefined || failureSignature(error) !== signature) continue
      best = { input, error }
      isSmaller = true
      break
    }
  }
  return best
}
