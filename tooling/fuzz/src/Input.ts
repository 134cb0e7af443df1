/**
 * What a target is fed: one datagram, or several parts in order, such as the events of a conversation. Findings are kept as files of
 * this form.
 */
import { fromHex, toHex } from "@sourcewire/protocol"

/** The parts; what they mean is the target's matter. */
export type Input = ReadonlyArray<Uint8Array>

/** A finding as a file: an input that once broke something, and what. */
export interface Finding {
  readonly target: string
  /** What went wrong when it was found. */
  readonly complaint: string
  /** Each part as hex. */
  readonly parts: ReadonlyArray<string>
}

/** Bytes of all parts. */
export const sizeOf = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0)

/** The input of a finding; throws for a file that is none. */
export const inputOf = (finding: Finding): Input =>
  finding.parts.map((part) => {
    const bytes = fromHex(part)
    if (bytes === undefined) throw new Error(`a part of a finding of ${finding.target} is no hex`)
    return bytes
  })

/** A finding to be written. */
export const findingOf = (target: string, complaint: string, input: Input): Finding => ({
  target,
  complaint,
  parts: input.map((part) => toHex(part))
})
