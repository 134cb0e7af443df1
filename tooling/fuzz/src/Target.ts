/** A fuzzing target: code that decodes untrusted bytes, and the properties that must hold for all inputs. */

/** One datagram, or several parts in order, such as the events of a conversation. The target defines their meaning. */
export type Input = ReadonlyArray<Uint8Array>

export const countBytes = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0)

export interface Target {
  readonly name: string
  /** The properties, for the report. */
  readonly holds: string
  /** Sources that the target tests, by their path from the root. The report counts their blocks. */
  readonly covers: RegExp
  /** Share of the inputs of a campaign, relative to other targets. Fast targets get a larger share. */
  readonly weight: number
  /** Whether the input is a list of events and not one datagram. Mutations may add, remove and swap events. */
  readonly events?: boolean
  /** Number of bytes before the datagram of each part that control the target (default: 0). */
  readonly steering?: number
  readonly maxBytes: number
  /** Steps (loop iterations and calls) that are allowed for any input. A short input can require them with a number in it. */
  readonly baseSteps: number
  /** Additional steps that are allowed per byte of input. */
  readonly stepsPerByte: number
  readonly seeds: () => Iterable<Input>
  /** Throws if a property does not hold. Must be deterministic. */
  readonly run: (input: Input) => void | Promise<void>
}

export class Violation extends Error {
  override readonly name = "Violation"
}

/** Throws a {@link Violation} if `holds` is false. */
export const must: (holds: boolean, what: string) => asserts holds = (holds, what) => {
  if (!holds) throw new Violation(what)
}
