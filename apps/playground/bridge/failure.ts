/**
 * Errors of the client as the page gets them.
 *
 * @module
 */
import type { Failure } from "./Api.ts"

/** Anything with a tag and a sentence. */
export interface Tagged {
  readonly _tag: string
  readonly message: string
}

/** What the page shows of an error; never a stack. */
export const failureOf = (error: Tagged): Failure => {
  const { field, offset, phase, text } = error as Partial<Failure>
  return {
    _tag: error._tag,
    message: error.message,
    ...(phase === undefined ? {} : { phase }),
    ...(text === undefined ? {} : { text }),
    ...(field === undefined ? {} : { field }),
    ...(offset === undefined ? {} : { offset })
  }
}
