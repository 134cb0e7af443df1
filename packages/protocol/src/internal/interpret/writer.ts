/** The growing buffer of the interpreter's encoder, with the ranges of the number formats. */
import { type NumberKind, NUMBER_BYTES, type Presence } from "../../declarations/Declaration.ts"
import type { Encoding } from "../../Text.ts"
import { isU64, MAX_U64 } from "../decimal.ts"

/** Thrown if a value cannot be encoded. The public functions catch it. */
export class Unwritable {
  readonly field: string
  readonly reason: string
  constructor(field: string, reason: string) {
    this.field = field
    this.reason = reason
  }
}

/** Inclusive range of each integer format. */
export const NUMBER_RANGES = {
  u8: { min: 0, max: 0xff },
  u16: { min: 0, max: 0xffff },
  i32: { min: -0x8000_0000, max: 0x7fff_ffff },
  u32: { min: 0, max: 0xffff_ffff }
} as const

/** A range that includes both ends. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** Returns the value if it is a whole number in the range, otherwise throws `Unwritable`. */
export const wholeNumber = (value: unknown, path: string, { max, min }: Range): number => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw new Unwritable(path, `must be a whole number from ${min} to ${max}`)
  }
  return value
}

/** Encodes one datagram from front to back. */
export class Writer {
  /** The encoding of texts. */
  readonly encoding: Encoding
  /**
   * The elements whose presence depends on the content of the datagram. `at` is the offset at which the element begins or, if it is absent,
   * would begin.
   */
  readonly decided: Array<{
    readonly at: number
    readonly isPresent: boolean
    readonly path: string
    readonly when: ReadonlyArray<Presence>
  }> = []
  private buffer = new Uint8Array(256)
  private view = new DataView(this.buffer.buffer)
  private length = 0

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  /** Number of bytes written. */
  get size(): number {
    return this.length
  }

  /** A copy of the written bytes. */
  result(): Uint8Array {
    return this.buffer.slice(0, this.length)
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  ascii(text: string): void {
    this.reserve(text.length)
    for (let i = 0; i < text.length; i++) this.buffer[this.length++] = text.charCodeAt(i)
  }

  /** Writes a number. `range` limits an integer to a part of its format's range. */
  number(kind: NumberKind, value: unknown, path: string, range?: Range): void {
    this.reserve(8)
    const at = this.length
    if (kind === "u64") {
      if (!isU64(value)) throw new Unwritable(path, `must be a decimal string from 0 to ${MAX_U64}`)
      this.view.setBigUint64(at, BigInt(value), true)
    } else if (kind === "f32") {
      if (typeof value !== "number") throw new Unwritable(path, "must be a number")
      this.view.setFloat32(at, value, true)
    } else {
      const whole = wholeNumber(value, path, range ?? NUMBER_RANGES[kind])
      if (kind === "u8") this.buffer[at] = whole
      else if (kind === "u16") this.view.setUint16(at, whole, true)
      else if (kind === "i32") this.view.setInt32(at, whole, true)
      else this.view.setUint32(at, whole, true)
    }
    this.length += NUMBER_BYTES[kind]
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(2 * this.buffer.length, this.length + more))
    grown.set(this.buffer)
    this.buffer = grown
    this.view = new DataView(grown.buffer)
  }
}
