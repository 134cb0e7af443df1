/** What a fuzzing target is: code that reads bytes from strangers, with what must hold whatever the bytes are. */

/** What it is fed: one datagram, or several parts in order, such as the events of a conversation; what they mean is the target's matter. */
export type Input = ReadonlyArray<Uint8Array>

export const sizeOf = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0)

export interface Target {
  readonly name: string
  /** What must hold, for the report. */
  readonly holds: string
  /** Sources that it is there to exercise, by their path from the root: coverage is counted over these. */
  readonly covers: RegExp
  /** Share of a campaign's inputs, relative to the other targets: cheap ones get more. */
  readonly weight: number
  /** The input is a list of events rather than one datagram: parts may be added, left out and swapped. */
  readonly events?: boolean
  /** Bytes of each part that steer the target and stand before a datagram; none unless given. */
  readonly steering?: number
  readonly maxBytes: number
  /** Steps (loop rounds and calls) allowed whatever the input, for what an input may ask for by a number. */
  readonly baseSteps: number
  /** Steps allowed per byte of input besides. */
  readonly stepsPerByte: number
  readonly seeds: () => Iterable<Input>
  /** Throws when something does not hold. Must do the same for the same input. */
  readonly run: (input: Input) => void | Promise<void>
}

export class Violation extends Error {
  override readonly name = "Violation"
}

/** Throws a {@link Violation} unless `holds`. */
export const must: (holds: boolean, what: string) => asserts holds = (holds, what) => {
  if (!holds) throw new Violation(what)
}
