/** Reads a counted list whose count is only a hint. See `ListElement`. */
import type { Element, Fields, ListElement } from "../../declarations/Declaration.ts"
import { NUMBER_BYTES } from "../../declarations/Declaration.ts"
import { Unreadable, OverLimit, type Reader } from "./reader.ts"

/** How the interpreter reads elements: handed in, because a list stands in a message and holds elements itself. */
export type ReadElements = (
  elements: ReadonlyArray<Element>,
  reader: Reader,
  into: Fields,
  extras: Fields,
  prefix: string
) => void

interface Entries {
  readonly entries: Array<Fields>
  /** Reader position before each entry, and after the last. */
  readonly starts: Array<number>
  /** The datagram ends inside the entry after the last. */
  readonly truncated: boolean
}

/** Reads count and entries into the message, and says in `extras` whether something is missing. */
export const readList = (
  element: ListElement,
  reader: Reader,
  into: Fields,
  extras: Fields,
  readElements: ReadElements
): void => {
  const countAt = reader.position
  const announced = reader.number(element.count.kind, element.count.name) as number
  into[element.count.name] = announced
  reader.note(element.count.name, countAt, element.count.kind, announced, element.count.doc)

  let read = readEntries(element, reader, announced, 0, readElements)
  const regular = read.entries.length === announced && reader.left === 0
  if (!regular && readAppended(element, reader, read, readElements)) {
    // Done: the entries before the appended part were shortened to the right number.
    extras["truncated"] = read.entries.length < announced
    into[element.name] = read.entries
    return
  }
  if (!regular && !read.truncated && reader.left > 0 && !reader.onlyZerosLeft()) {
    const more = readEntries(element, reader, Number.POSITIVE_INFINITY, read.entries.length, readElements)
    if (more.entries.length > 0)
      read = { entries: read.entries.concat(more.entries), starts: [], truncated: more.truncated }
    else if (announced === 0 && more.truncated) read = { ...read, truncated: true }
  }
  extras["truncated"] = read.truncated || read.entries.length < announced
  into[element.name] = read.entries
}

/** Up to `most` entries, numbered from `base`. Leaves the reader behind the last whole one. */
const readEntries = (
  element: ListElement,
  reader: Reader,
  most: number,
  base: number,
  readElements: ReadElements
): Entries => {
  const entries: Array<Fields> = []
  const starts = [reader.position]
  while (entries.length < most && reader.left > 0) {
    // Padding after a truncated list is no list of nameless entries; entries that were announced may well be all zeros.
    if (most === Number.POSITIVE_INFINITY && reader.onlyZerosLeft()) break
    const start = reader.position
    const noted = reader.trace?.length ?? 0
    const entry: Fields = {}
    const entryExtras: Fields = {}
    try {
      readElements(element.entry, reader, entry, entryExtras, `${element.name}[${base + entries.length}].`)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      reader.position = start
      reader.trace?.splice(noted)
      return { entries, starts, truncated: true }
    }
    entries.push(Object.assign(entry, entryExtras))
    if (base + entries.length > element.max) throw new OverLimit(element.limit, element.max)
    starts.push(reader.position)
  }
  return { entries, starts, truncated: false }
}

/** What a believable number of an appended field is (money may be owed): random bytes, or floats read as integers, are far above. */
const BELIEVABLE = 0x0100_0000

/**
 * The Ship sends deaths and money of all players after the last player. Nothing announces them: they are there when, after some number
 * of whole entries, exactly the bytes of as many appended parts are left and all of them hold believable numbers.
 */
const readAppended = (element: ListElement, reader: Reader, read: Entries, readElements: ReadElements): boolean => {
  const { appended } = element
  if (appended === undefined || read.entries.length === 0) return false
  const size = appended.reduce((sum, field) => sum + NUMBER_BYTES[field.kind], 0)
  const end = reader.position
  for (let count = read.entries.length; count > 0; count--) {
    const start = read.starts[count]!
    if (reader.bytes.length - start !== count * size) continue
    reader.position = start
    let believable = true
    for (let i = 0; i < count * appended.length; i++) {
      const value = reader.number(appended[i % appended.length]!.kind, element.name)
      if (Math.abs(Number(value)) > BELIEVABLE) believable = false
    }
    reader.position = believable ? start : end
    if (!believable) return false
    const notes = reader.trace?.findIndex((field) => field.offset >= start) ?? -1
    if (notes >= 0) reader.trace!.splice(notes)
    read.entries.length = count
    read.entries.forEach((entry, i) => readElements(appended, reader, entry, entry, `${element.name}[${i}].`))
    return true
  }
  return false
}
