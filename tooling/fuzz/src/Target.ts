/** A fuzzing target: code that decodes untrusted bytes, and the properties that must hold for all inputs. */

/** One datagram, or several parts in order, such as the events of a conversation. The target defines the meaning of the parts. */
export type Input = ReadonlyArray<Uint8Array>

export const countBytes = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0)

export interface Target {
  readonly name: string
  /** Description of the properties, for the report. */
  readonly holds: string
  /** The sources that the target tests, as a pattern of their paths from the root. The report counts the blocks of these sources. */
  readonly covers: RegExp
  /**
   * Share of the target in the inputs or the time of all campaigns, relative to the weights of the other targets. A fast target has a
   * larger weight.
   */
  readonly weight: number
  /** Whether the parts of the input are events. Mutations of such an input may add, remove and swap events. */
  readonly events?: boolean
  /**
   * Number of control bytes at the beginning of each part (default: 0). These bytes select settings of the target, and the other bytes of
   * the part are a datagram.
   */
  readonly steering?: number
  readonly maxBytes: number
  /**
   * Number of steps (loop iterations and calls) that a run may take, even if its input is empty. Even a short input can need many steps if
   * it contains a large number.
   */
  readonly baseSteps: number
  /** Additional steps that are allowed per byte of input. */
  readonly stepsPerByte: number
  readonly seeds: () => Iterable<Input>
  /** Throws if a property does not hold. Must be deterministic, so that a failing input fails again. */
  readonly run: (input: Input) => void | Promise<void>
}

export class Violation extends Error {
  override readonly name = "Violation"
}

/** Throws a {@link Violation} if `holds` is false. */
export const must: (holds: boolean, what: string) => asserts holds = (holds, what) => {
  if (!holds) throw new Violation(what)
}
