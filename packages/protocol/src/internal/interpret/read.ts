/**
 * Reads a message by walking its layout. Slower than the generated decoders, but it reports every field's place, says exactly
 * where a message breaks, and keeps what is whole of a truncated reply. The generated decoders hand over to it whenever a datagram
 * is not regular.
 */
import type { BitsElement, CodeNames, Layout, Element, Fields, Presence } from "../../declarations/Declaration.ts"
import { toHex } from "../../Hex.ts"
import { Unreadable, type Reader } from "./reader.ts"
import { readList } from "./readList.ts"

/** Reads the fields after the type byte into a message. Throws an `Unreadable`. */
export const readMessage = (layout: Layout, reader: Reader): Fields => {
  const message: Fields = { _tag: layout.tag }
  const extras: Fields = {}
  readElements(layout.fields, reader, message, extras, "")
  const { truncated, ...rest } = extras
  if (truncated === true || layout.fields.some((field) => field.kind === "list")) message["truncated"] = truncated
  Object.assign(message, rest)
  if (reader.left > 0) {
    const at = reader.position
    message["trailing"] = reader.hexTo(reader.bytes.length)
    reader.note("trailing", at, "bytes", message["trailing"] as string, "Bytes after the message.")
  }
  const { rule } = layout
  if (rule !== undefined && message[rule.about] !== undefined) rule.decoded(message)
  return message
}

/** Reads elements into `into`; `<name>Hex`, `<name>Code` and the truncation mark go to `extras`, which end up behind the fields. */
export const readElements = (
  elements: ReadonlyArray<Element>,
  reader: Reader,
  into: Fields,
  extras: Fields,
  prefix: string
): void => {
  for (const element of elements) {
    if (isPresent(element.when, into, reader.left)) readElement(element, reader, into, extras, prefix)
  }
}

const readElement = (element: Element, reader: Reader, into: Fields, extras: Fields, prefix: string): void => {
  const path = prefix + element.name
  const at = reader.position
  switch (element.kind) {
    case "text":
      return readText(element, reader, into, extras, path)
    case "flag": {
      const byte = reader.number("u8", path) as number
      into[element.name] = byte !== 0
      if (byte > 1) extras[`${element.name}Code`] = byte
      return reader.note(path, at, "flag", byte !== 0, element.doc)
    }
    case "marker": {
      const byte = reader.number("u8", path) as number
      // No field of the message: the group's presence says it.
      if (byte === 1) Object.defineProperty(into, element.name, { value: byte })
      else if (byte > 1) extras[`${element.name}Code`] = byte
      return reader.note(path, at, "flag", byte, element.doc)
    }
    case "code": {
      const byte = reader.number("u8", path) as number
      const name = nameOfCode(element.names, byte)
      into[element.name] = name ?? byte
      return reader.note(path, at, "code", name ?? byte, element.doc)
    }
    case "group": {
      const group: Fields = {}
      const groupExtras: Fields = {}
      readElements(element.fields, reader, group, groupExtras, `${path}.`)
      into[element.name] = Object.assign(group, groupExtras)
      return
    }
    case "bits":
      return readBits(element, reader, into, extras, path)
    case "list":
      return readList(element, reader, into, extras, readElements)
    case "literal":
      return readLiteral(element.text, element.optional === true, reader, path, element.doc)
    case "decimal": {
      const match = (element.optional === true ? /^(-?\d{1,15}) / : /^(-?\d{1,15})(?!\d)/).exec(asciiFrom(reader))
      if (match === null) {
        if (element.optional === true) return
        throw new Unreadable(path, at, "needs a number in decimal digits")
      }
      reader.position += match[0].length
      into[element.name] = Number(match[1])
      return reader.note(path, at, "decimal", Number(match[1]), element.doc)
    }
    case "quoted":
      return readQuoted(reader, into, extras, element.name, path, element.doc)
    case "addresses":
      return readAddresses(element, reader, into, extras)
    case "bytes": {
      const end = element.size === "rest" ? reader.bytes.length : at + (into[element.size.field] as number)
      if (end > reader.bytes.length) throw new Unreadable(path, at, `needs ${end - at} bytes, ${reader.left} left`)
      const hex = reader.hexTo(end)
      into[element.name] = hex
      return reader.note(path, at, "bytes", hex, element.doc)
    }
    default: {
      const value = reader.number(element.kind, path)
      into[element.name] = value
      return reader.note(path, at, element.kind, value, element.doc)
    }
  }
}

const readText = (
  element: Extract<Element, { kind: "text" }>,
  reader: Reader,
  into: Fields,
  extras: Fields,
  path: string
): void => {
  const at = reader.position
  let read = reader.terminatedText()
  if (read === undefined) {
    if (element.unterminated === undefined)
      throw new Unreadable(path, at, `${reader.left} ${reader.left === 1 ? "byte" : "bytes"}, no NUL`, true)
    read = reader.textTo(reader.bytes.length)
    if (element.unterminated === "truncated") extras["truncated"] = true
  }
  if (read.text !== "" || element.omitEmpty !== true) into[element.name] = read.text
  if (read.hex !== undefined) extras[`${element.name}Hex`] = read.hex
  reader.note(path, at, "text", read.text, element.doc)
}

const readBits = (element: BitsElement, reader: Reader, into: Fields, extras: Fields, path: string): void => {
  if (reader.left === 0) return
  const at = reader.position
  const bits = reader.number("u8", path) as number
  extras[element.name] = bits
  reader.note(path, at, "bits", bits, element.doc)
  for (const { bit, element: field } of element.fields) {
    if ((bits & bit) === 0) continue
    const start = reader.position
    const noted = reader.trace?.length ?? 0
    try {
      readElement(field, reader, into, extras, "")
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      // What came before is whole. The rest of the datagram stays as left-over bytes.
      extras["truncated"] = true
      reader.position = start
      reader.trace?.splice(noted)
      return
    }
  }
}

const readLiteral = (text: string, optional: boolean, reader: Reader, path: string, doc: string): void => {
  const at = reader.position
  let matched = 0
  while (matched < text.length && reader.bytes[at + matched] === text.charCodeAt(matched)) matched++
  if (optional) {
    // Each byte of it may be missing, as newline or NUL at the end of a command.
    for (let i = 0; i < text.length; i++) if (reader.bytes[reader.position] === text.charCodeAt(i)) reader.position++
    if (reader.position > at) reader.note(path, at, "literal", toHex(reader.bytes, at, reader.position), doc)
    return
  }
  if (matched < text.length) {
    const missesOnlyNul = matched === text.length - 1 && text.endsWith("\0") && at + matched === reader.bytes.length
    if (!missesOnlyNul) throw new Unreadable(path, at + matched, `needs the text ${JSON.stringify(text)}`)
  }
  reader.position = at + matched
  reader.note(path, at, "literal", text.replace(/\0$/, ""), doc)
}

const readQuoted = (reader: Reader, into: Fields, extras: Fields, name: string, path: string, doc: string): void => {
  const at = reader.position
  const match = /^(?:"([^"\0]*)"|([^\s"\0]+)) ?/.exec(asciiFrom(reader))
  if (match === null) throw new Unreadable(path, at, "needs a word or a text in quotes")
  const quoted = match[1] !== undefined
  reader.position = at + (quoted ? 1 : 0)
  const read = reader.textTo(reader.position + (quoted ? match[1]! : match[2]!).length)
  into[name] = read.text
  if (read.hex !== undefined) extras[`${name}Hex`] = read.hex
  reader.position = at + match[0].length
  reader.note(path, at, "quoted", read.text, doc)
}

const ADDRESS_BYTES = 6
const END_OF_ADDRESSES = "0.0.0.0:0"

const readAddresses = (
  element: Extract<Element, { kind: "addresses" }>,
  reader: Reader,
  into: Fields,
  extras: Fields
): void => {
  const servers: Array<string> = []
  const { bytes } = reader
  // WON2 masters put two zero bytes between header and list.
  if (reader.left % ADDRESS_BYTES === 2 && bytes[reader.position] === 0 && bytes[reader.position + 1] === 0) {
    extras["padding"] = reader.hexTo(reader.position + 2)
    reader.note("padding", reader.position - 2, "bytes", "0000", "Two bytes of padding, sent by WON2 masters.")
  }
  let complete = false
  while (!complete && reader.left >= ADDRESS_BYTES) {
    const at = reader.position
    reader.position = at + ADDRESS_BYTES
    const address = `${bytes.subarray(at, at + 4).join(".")}:${(bytes[at + 4]! << 8) | bytes[at + 5]!}`
    complete = address === END_OF_ADDRESSES
    if (!complete) servers.push(address)
    reader.note(complete ? "end" : `${element.name}[${servers.length - 1}]`, at, "addresses", address, element.doc)
  }
  into[element.name] = servers
  into[element.end] = complete
}

/** The bytes left as one character each: text commands are told apart by their ASCII parts. */
const asciiFrom = (reader: Reader): string => {
  let text = ""
  for (let i = reader.position; i < reader.bytes.length; i++) text += String.fromCharCode(reader.bytes[i]!)
  return text
}

const nameOfCode = (names: CodeNames, byte: number): string | undefined => {
  for (const name in names) if (names[name]!.includes(byte)) return name
  return undefined
}

const isPresent = (when: ReadonlyArray<Presence> | undefined, into: Fields, left: number): boolean =>
  when === undefined ||
  when.every((presence) => {
    if ("field" in presence) return into[presence.field] === presence.equals
    return presence.left === "some" ? left > 0 : left === presence.bytes
  })
