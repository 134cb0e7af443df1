/** The cursor of the interpreter. If the caller passes a trace, the cursor records the positions of the fields. */
import { type Fields, type NumberKind, NUMBER_BYTES } from "../../declarations/Declaration.ts"
import type { DissectedField } from "../../Dissection.ts"
import { toHex } from "../../Hex.ts"
import { decodeText, type Encoding } from "../../Text.ts"

/**
 * Reports that a field cannot be decoded. The reader throws this object, and the public functions catch it. The object has no stack,
 * because creating a stack takes longer than decoding.
 */
export class Unreadable {
  readonly field: string
  readonly offset: number
  readonly reason: string
  /** Whether the datagram ends within the field. If the datagram ends there, `reason` describes the field's bytes that were present. */
  readonly within: boolean
  constructor(field: string, offset: number, reason: string, within = false) {
    this.field = field
    this.offset = offset
    this.reason = reason
    this.within = within
  }
}

/** The objects that decoded values are written to. */
export interface Target {
  readonly fields: Fields
  /** Keys that are added to the message after its fields, for example `<name>Hex`, `<name>Code` and `truncated`. */
  readonly extras: Fields
  /** Text before the name of a field in its path, for example `players[0].`. */
  readonly prefix: string
}

/** Decodes one datagram from front to back. */
export class Reader {
  position = 0
  readonly bytes: Uint8Array
  readonly encoding: Encoding
  readonly trace: Array<DissectedField> | undefined
  private readonly view: DataView

  constructor(bytes: Uint8Array, encoding: Encoding, trace: Array<DissectedField> | undefined) {
    this.bytes = bytes
    this.encoding = encoding
    this.trace = trace
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.bytes.length - this.position
  }

  note(path: string, offset: number, type: string, value: DissectedField["value"], doc: string): void {
    this.trace?.push({ path, offset, length: this.position - offset, type, value, doc })
  }

  number(kind: NumberKind, path: string): number | string {
    const at = this.position
    const size = NUMBER_BYTES[kind]
    if (this.left < size) {
      const left = this.left === 0 ? "none" : `only ${this.left}`
      throw new Unreadable(path, at, `needs ${size} ${size === 1 ? "byte" : "bytes"}, ${left} left`)
    }
    this.position = at + size
    switch (kind) {
      case "u8":
        return this.bytes[at]!
      case "u16":
        return this.view.getUint16(at, true)
      case "i32":
        return this.view.getInt32(at, true)
      case "u32":
        return this.view.getUint32(at, true)
      case "f32":
        return this.view.getFloat32(at, true)
      case "u64":
        return this.view.getBigUint64(at, true).toString()
    }
  }

  /** Calls `read`. If `read` throws an {@link Unreadable}, the function restores the position and the trace, and returns false. */
  tryRead(read: () => void): boolean {
    const start = this.position
    const noted = this.trace?.length ?? 0
    try {
      read()
      return true
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      this.position = start
      this.trace?.splice(noted)
      return false
    }
  }

  /** Decodes the text up to `end`. `hex` is present if encoding the text would not restore the bytes. */
  textTo(end: number): { readonly text: string; readonly hex: string | undefined } {
    const start = this.position
    const { text, exact } = decodeText(this.bytes, start, end, this.encoding)
    this.position = end
    return { text, hex: exact ? undefined : toHex(this.bytes, start, end) }
  }

  hexTo(end: number): string {
    const hex = toHex(this.bytes, this.position, end)
    this.position = end
    return hex
  }

  /** Whether all remaining bytes are zero. */
  onlyZerosLeft(): boolean {
    for (let i = this.position; i < this.bytes.length; i++) if (this.bytes[i] !== 0) return false
    return true
  }
}
