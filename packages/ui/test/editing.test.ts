import { describe, expect, it } from "vitest"
import { editedBy } from "../src/inspector/editing.ts"

const bytes = Uint8Array.of(0x11, 0x22, 0x33)
const at = (offset: number, isHalf = false) => ({ offset, isHalf })
const edited = (key: string, place: ReturnType<typeof at>, isInserting = false) => {
  const result = editedBy(key, bytes, place, isInserting)
  return result && [[...result.bytes], result.offset, result.isHalf]
}

describe("a key in the byte editor", () => {
  it("overwrites one digit of a byte", () => {
    expect(edited("a", at(1))).toEqual([[0x11, 0xa2, 0x33], 1, true])
    expect(edited("B", at(1, true))).toEqual([[0x11, 0x2b, 0x33], 2, false])
  })

  it("inserts a byte if `isInserting` is set", () => {
    expect(edited("a", at(1), true)).toEqual([[0x11, 0xa0, 0x22, 0x33], 1, true])
    expect(edited("b", at(1, true), true)).toEqual([[0x11, 0x2b, 0x33], 2, false])
  })

  it("appends a byte if the cursor is after the last byte", () => {
    expect(edited("f", at(3))).toEqual([[0x11, 0x22, 0x33, 0xf0], 3, true])
  })

  it("deletes a byte", () => {
    expect(edited("Delete", at(0))).toEqual([[0x22, 0x33], 0, false])
    expect(edited("Delete", at(3))).toBeUndefined()
    expect(edited("Backspace", at(3))).toEqual([[0x11, 0x22], 2, false])
    expect(edited("Backspace", at(1, true))).toEqual([[0x11, 0x33], 1, false])
    expect(edited("Backspace", at(0))).toBeUndefined()
  })

  it("changes nothing if the key is neither a hex digit nor an editing key", () => {
    for (const key of ["g", "ArrowLeft", "Enter", "F5"]) expect(edited(key, at(1))).toBeUndefined()
  })
})
