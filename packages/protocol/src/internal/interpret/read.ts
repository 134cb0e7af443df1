/**
 * Reads a message by walking its layout. Slower than the generated decoders, but it reports every field's place, says exactly
 * where a message breaks, and keeps what is whole of a truncated reply. The generated decoders hand over to it whenever a datagram
 * is not regular.
 */
import type {
  AddressesElement,
  BitsElement,
  Element,
  Fields,
  Layout,
  LiteralElement,
  Presence,
  QuotedElement,
  TextElement
} from "../../declarations/Declaration.ts"
import { toHex } from "../../Hex.ts"
import { type Reader, type Target, Unreadable } from "./reader.ts"
import { type ReadObject, readList } from "./readList.ts"

/** Reads the fields after the type byte into a message. Throws an `Unreadable`. */
export const readMessage = (layout: Layout, reader: Reader): Fields => {
  const message: Fields = { _tag: layout.tag }
  const extras: Fields = {}
  readElements(layout.fields, reader, { fields: message, extras, prefix: "" })
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

const readElements = (elements: ReadonlyArray<Element>, reader: Reader, target: Target): void => {
  for (const element of elements) {
    if (isPresent(element.when, target.fields, reader.left)) readElement(element, reader, target)
  }
}

const readObject: ReadObject = (elements, reader, prefix) => {
  const target: Target = { fields: {}, extras: {}, prefix }
  readElements(elements, reader, target)
  return Object.assign(target.fields, target.extras)
}

const readElement = (element: Element, reader: Reader, target: Target): void => {
  const { extras, fields, prefix } = target
  const { doc, kind, name } = element
  const path = prefix + name
  const at = reader.position
  switch (kind) {
    case "text":
      return readText(element, reader, target)
    case "flag":
    case "marker": {
      const byte = reader.number("u8", path) as number
      const value = kind === "flag" ? byte !== 0 : byte
      if (kind === "flag") fields[name] = value
      // No field of the message: the group's presence says it.
      else Object.defineProperty(fields, name, { value })
      if (byte > 1) extras[`${name}Code`] = byte
      return reader.note(path, at, "flag", value, doc)
    }
    case "code": {
      const byte = reader.number("u8", path) as number
      const code = Object.keys(element.names).find((known) => element.names[known]!.includes(byte)) ?? byte
      fields[name] = code
      return reader.note(path, at, "code", code, doc)
    }
    case "group":
      fields[name] = readObject(element.fields, reader, `${path}.`)
      return
    case "bits":
      return readBits(element, reader, target)
    case "list":
      return readList(element, reader, target, readObject)
    case "literal":
      return readLiteral(element, reader, path)
    case "decimal": {
      const match = (element.optional === true ? /^(-?\d{1,15}) / : /^(-?\d{1,15})(?!\d)/).exec(asciiFrom(reader))
      if (match === null) {
        if (element.optional === true) return
        throw new Unreadable(path, at, "needs a number in decimal digits")
      }
      reader.position += match[0].length
      fields[name] = Number(match[1])
      return reader.note(path, at, "decimal", Number(match[1]), doc)
    }
    case "quoted":
      return readQuoted(element, reader, target)
    case "addresses":
      return readAddresses(element, reader, target)
    case "bytes": {
      const end = element.size === "rest" ? reader.bytes.length : at + (fields[element.size.field] as number)
      if (end > reader.bytes.length) throw new Unreadable(path, at, `needs ${end - at} bytes, ${reader.left} left`)
      const hex = reader.hexTo(end)
      fields[name] = hex
      return reader.note(path, at, "bytes", hex, doc)
    }
    default: {
      const value = reader.number(kind, path)
      fields[name] = value
      return reader.note(path, at, kind, value, doc)
    }
  }
}

const readText = (element: TextElement, reader: Reader, { extras, fields, prefix }: Target): void => {
  const { doc, name, omitEmpty, unterminated } = element
  const path = prefix + name
  const at = reader.position
  const nul = reader.bytes.indexOf(0, at)
  if (nul < 0 && unterminated === undefined) {
    throw new Unreadable(path, at, `${reader.left} ${reader.left === 1 ? "byte" : "bytes"}, no NUL`, true)
  }
  const { hex, text } = reader.textTo(nul < 0 ? reader.bytes.length : nul)
  if (nul >= 0) reader.position++
  else if (unterminated === "truncated") extras["truncated"] = true
  if (text !== "" || omitEmpty !== true) fields[name] = text
  if (hex !== undefined) extras[`${name}Hex`] = hex
  reader.note(path, at, "text", text, doc)
}

const readBits = ({ doc, fields, name }: BitsElement, reader: Reader, target: Target): void => {
  if (reader.left === 0) return
  const at = reader.position
  const bits = reader.number("u8", name) as number
  target.extras[name] = bits
  reader.note(name, at, "bits", bits, doc)
  // What comes before a field that is not whole is kept; the rest of the datagram stays as left-over bytes.
  const arrived = fields.every(
    ({ bit, element }) => (bits & bit) === 0 || reader.tries(() => readElement(element, reader, target))
  )
  if (!arrived) target.extras["truncated"] = true
}

const readLiteral = ({ doc, optional, text }: LiteralElement, reader: Reader, path: string): void => {
  const at = reader.position
  if (optional === true) {
    // Each byte of it may be missing, as newline or NUL at the end of a command.
    for (let i = 0; i < text.length; i++) if (reader.bytes[reader.position] === text.charCodeAt(i)) reader.position++
    if (reader.position > at) reader.note(path, at, "literal", toHex(reader.bytes, at, reader.position), doc)
    return
  }
  let matched = 0
  while (matched < text.length && reader.bytes[at + matched] === text.charCodeAt(matched)) matched++
  const missesOnlyNul = matched === text.length - 1 && text.endsWith("\0") && at + matched === reader.bytes.length
  if (matched < text.length && !missesOnlyNul) {
    throw new Unreadable(path, at + matched, `needs the text ${JSON.stringify(text)}`)
  }
  reader.position = at + matched
  reader.note(path, at, "literal", text.replace(/\0$/, ""), doc)
}

const readQuoted = ({ doc, name }: QuotedElement, reader: Reader, { extras, fields, prefix }: Target): void => {
  const path = prefix + name
  const at = reader.position
  const match = /^(?:"([^"\0]*)"|([^\s"\0]+)) ?/.exec(asciiFrom(reader))
  if (match === null) throw new Unreadable(path, at, "needs a word or a text in quotes")
  const quoted = match[1] !== undefined
  reader.position = at + (quoted ? 1 : 0)
  const { hex, text } = reader.textTo(reader.position + (quoted ? match[1]! : match[2]!).length)
  fields[name] = text
  if (hex !== undefined) extras[`${name}Hex`] = hex
  reader.position = at + match[0].length
  reader.note(path, at, "quoted", text, doc)
}

const ADDRESS_BYTES = 6
const END_OF_ADDRESSES = "0.0.0.0:0"

const readAddresses = ({ doc, end, name }: AddressesElement, reader: Reader, { extras, fields }: Target): void => {
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
    reader.note(complete ? "end" : `${name}[${servers.length - 1}]`, at, "addresses", address, doc)
  }
  fields[name] = servers
  fields[end] = complete
}

/** The bytes left as one character each: text commands are told apart by their ASCII parts. */
const asciiFrom = (reader: Reader): string => {
  let text = ""
  for (let i = reader.position; i < reader.bytes.length; i++) text += String.fromCharCode(reader.bytes[i]!)
  return text
}

const isPresent = (when: ReadonlyArray<Presence> | undefined, into: Fields, left: number): boolean =>
  when === undefined ||
  when.every((presence) => {
    if ("field" in presence) return into[presence.field] === presence.equals
    return presence.left === "some" ? left > 0 : left === presence.bytes
  })
