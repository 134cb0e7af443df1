/**
 * Decodes a message by following its layout. The generated decoders are faster, but pass every irregular datagram to this interpreter. Only
 * this interpreter reports the positions of fields and errors, and returns the complete entries of a truncated reply.
 */
import type {
  AddressesElement,
  BitsElement,
  DecimalElement,
  Element,
  Fields,
  Layout,
  LiteralElement,
  Presence,
  QuotedElement,
  TextElement
} from "../../declarations/Declaration.ts"
import { toHex } from "../../Hex.ts"
import { MAX_U64 } from "../decimal.ts"
import { type Reader, type Target, Unreadable } from "./reader.ts"
import { type ReadObject, readList } from "./readList.ts"

/** Decodes the fields after the type byte into a message. Throws an `Unreadable` if a field cannot be decoded. */
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
    if (isPresent(element.when, target.fields, reader)) readElement(element, reader, target)
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
      // The conditions of a group need the value of its marker, but a marker is not a field of a message. Therefore the property is not
      // enumerable.
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
    case "decimal":
      return readDecimal(element, reader, target)
    case "hexadecimal": {
      const digits = /^[\da-f]{1,8}(?![\da-f])/i.exec(asciiFrom(reader))?.[0]
      if (digits === undefined) throw new Unreadable(path, at, "needs one to eight hexadecimal digits")
      reader.position += digits.length
      const value = Number.parseInt(digits, 16) | 0
      fields[name] = value
      return reader.note(path, at, "hexadecimal", value, doc)
    }
    case "word": {
      const word = /^ ([!-~]+)/.exec(asciiFrom(reader))?.[1]
      if (word === undefined) return
      reader.position += 1 + word.length
      fields[name] = word
      return reader.note(path, at, "word", word, doc)
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
      const { range } = element
      if (range !== undefined && ((value as number) < range.min || (value as number) > range.max)) {
        throw new Unreadable(path, at, `is ${value}, which is not from ${range.min} to ${range.max}`)
      }
      fields[name] = value
      return reader.note(path, at, kind, value, doc)
    }
  }
}

/** The pattern of each kind of decimal number. */
const DECIMALS = { number: /^(-?\d{1,15})(?!\d)/, u64: /^(\d{1,20})(?!\d)/, flag: /^([01])(?!\d)/ }

const readDecimal = ({ as, doc, name, optional }: DecimalElement, reader: Reader, { fields, prefix }: Target): void => {
  const path = prefix + name
  const at = reader.position
  const match = (optional === true ? /^(-?\d{1,15}) / : DECIMALS[as ?? "number"]).exec(asciiFrom(reader))
  const digits = match?.[1]
  if (match === null || digits === undefined || (as === "u64" && BigInt(digits) > MAX_U64)) {
    if (optional === true) return
    const needed = as === "flag" ? "0 or 1" : as === "u64" ? "a number of 64 bits" : "a number"
    throw new Unreadable(path, at, `needs ${needed} in decimal digits`)
  }
  reader.position += match[0].length
  const value = as === "u64" ? String(BigInt(digits)) : as === "flag" ? digits === "1" : Number(digits)
  fields[name] = value
  reader.note(path, at, "decimal", value, doc)
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
  // If a field is incomplete, the message contains only the fields before it. The rest of the datagram becomes `trailing`.
  const arrived = fields.every(
    ({ bit, element }) => (bits & bit) === 0 || reader.tryRead(() => readElement(element, reader, target))
  )
  if (!arrived) target.extras["truncated"] = true
}

const readLiteral = ({ doc, optional, text }: LiteralElement, reader: Reader, path: string): void => {
  const at = reader.position
  if (optional === true) {
    // Any byte of an optional text may be missing, for example the newline or the NUL at the end of a command.
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

/** Returns the remaining bytes as a string, with one character per byte. */
const asciiFrom = (reader: Reader): string => {
  let text = ""
  for (let i = reader.position; i < reader.bytes.length; i++) text += String.fromCharCode(reader.bytes[i]!)
  return text
}

const isPresent = (when: ReadonlyArray<Presence> | undefined, into: Fields, reader: Reader): boolean =>
  when === undefined ||
  when.every((presence) => {
    if ("field" in presence) return into[presence.field] === presence.equals
    if ("matches" in presence) return new RegExp(presence.matches).test(asciiFrom(reader))
    if ("misses" in presence) return !new RegExp(presence.misses).test(asciiFrom(reader))
    return presence.left === "some" ? reader.left > 0 : reader.left === presence.bytes
  })
