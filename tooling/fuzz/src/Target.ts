/** A fuzzing target: code that reads foreign bytes, and what must hold for all of them. */

/** One datagram, or several parts in order, such as the events of a conversation. The target defines their meaning. */
export type Input = ReadonlyArray<Uint8Array>

export const sizeOf = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0)

export interface Target {
  readonly name: string
  /** What must hold, for the report. */
  readonly holds: string
  /** Sources that the target tests, by their path from the root. The report counts their blocks. */
  readonly covers: RegExp
  /** Share of a campaign's inputs, relative to the other targets: cheap ones get more. */
  readonly weight: number
  /** The input is a list of events rather than one datagram: parts may be added, left out and swapped. */
  readonly events?: boolean
  /** Bytes before the datagram of each part that control the target (default: 0). */
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
