/** Decodes a counted list whose count is only a hint. See `ListElement`. */
import { type Element, type Fields, type ListElement, NUMBER_BYTES } from "../../declarations/Declaration.ts"
import { LimitExceeded } from "../../Errors.ts"
import type { Reader, Target } from "./reader.ts"

/** The function that decodes an object. `readList` receives this function as a parameter, because the two functions call each other. */
export type ReadObject = (elements: ReadonlyArray<Element>, reader: Reader, prefix: string) => Fields

/** Decodes the count and the entries into the message. Records in `target.extras` whether entries are missing. */
export const readList = (element: ListElement, reader: Reader, target: Target, readObject: ReadObject): void => {
  const { count, entry, limit, max, name } = element
  const countAt = reader.position
  const announced = reader.number(count.kind, count.name) as number
  reader.note(count.name, countAt, count.kind, announced, count.doc)
  const entries: Array<Fields> = []
  /** The position of the reader before each entry, and its position after the last entry. */
  const starts = [reader.position]

  /**
   * Decodes entries until the list has `most` entries or the datagram ends. If the datagram ends inside an entry, the function returns
   * true, and the reader moves back to the end of the last complete entry.
   */
  const endsInside = (most: number): boolean => {
    while (entries.length < most && reader.left > 0) {
      // An announced entry can consist of zeros. After the announced entries, zeros are padding and not an entry with an empty name.
      if (most === Number.POSITIVE_INFINITY && reader.onlyZerosLeft()) break
      if (!reader.tryRead(() => entries.push(readObject(entry, reader, `${name}[${entries.length}].`)))) return true
      if (entries.length > max) {
        const message = `the ${String(target.fields["_tag"])} contains more than ${max} entries`
        throw new LimitExceeded({ message, limit, max })
      }
      starts.push(reader.position)
    }
    return false
  }

  let truncated = endsInside(announced)
  if (entries.length !== announced || reader.left > 0) {
    const whole = entries.length
    if (readAppended(element, reader, entries, starts, readObject)) truncated = false
    else if (!truncated && reader.left > 0 && !reader.onlyZerosLeft()) {
      truncated = endsInside(Number.POSITIVE_INFINITY) && (entries.length > whole || announced === 0)
    }
  }
  target.fields[count.name] = announced
  target.fields[name] = entries
  target.extras["truncated"] = truncated || entries.length < announced
}

/**
 * Maximum plausible absolute value of an appended field (money can be negative). If random bytes or a float are decoded as an integer, the
 * integer nearly always has a larger absolute value.
 */
const MAX_PLAUSIBLE = 0x0100_0000

/**
 * Decodes the appended fields and returns whether they are present. The Ship sends deaths and money of all players after the last player.
 * No field of the datagram announces these values. Therefore the function looks for an entry after which the rest of the datagram has the
 * size of the values for this entry and all earlier entries. If these values are plausible, they are present. The function then removes all
 * later entries, because they were decoded from these values.
 */
const readAppended = (
  { appended, name }: ListElement,
  reader: Reader,
  entries: Array<Fields>,
  starts: ReadonlyArray<number>,
  readObject: ReadObject
): boolean => {
  if (appended === undefined) return false
  const size = appended.reduce((sum, field) => sum + NUMBER_BYTES[field.kind], 0)
  const { bytes, position: end } = reader
  const count = starts.findLastIndex((start, whole) => whole > 0 && bytes.length - start === whole * size)
  if (count < 0) return false
  const start = starts[count]!
  reader.position = start
  const numbers = Array.from({ length: count }, () => appended.map(({ kind }) => Number(reader.number(kind, name))))
  const believable = numbers.flat().every((number) => Math.abs(number) <= MAX_PLAUSIBLE)
  reader.position = believable ? start : end
  if (!believable) return false
  const notes = reader.trace?.findIndex((field) => field.offset >= start) ?? -1
  if (notes >= 0) reader.trace!.splice(notes)
  entries.length = count
  entries.forEach((entry, i) => Object.assign(entry, readObject(appended, reader, `${name}[${i}].`)))
  return true
}
