/** Encodes a message by following its layout: the inverse of `read.ts`. Every value is checked, so that the datagram can be decoded. */
import type {
  AddressesElement,
  BitsElement,
  DecimalElement,
  Element,
  Fields,
  Layout,
  ListElement,
  Presence,
  TextElement
} from "../../declarations/Declaration.ts"
import { fromHex } from "../../Hex.ts"
import { type Encoding, encodeText } from "../../Text.ts"
import { connectionless } from "../../Words.ts"
import { isU64, MAX_U64 } from "../decimal.ts"
import { NUMBER_RANGES, Unwritable, wholeNumber, Writer } from "./writer.ts"

/** Encodes a complete datagram. Throws an `Unwritable` if a value cannot be encoded. */
export const writeDatagram = (layout: Layout, message: Fields, encoding: Encoding): Uint8Array => {
  const writer = new Writer(encoding)
  if (layout.bare !== true) writer.bytes(connectionless(""))
  if (layout.type !== undefined) writer.number("u8", layout.type, "type")
  const fields = layout.rule === undefined ? message : layout.rule.encoding(message)
  if ("contradiction" in fields) throw new Unwritable(fields.field as string, fields.contradiction as string)
  writeElements(layout.fields, fields, writer, "")
  const trailing = message["trailing"]
  if (trailing !== undefined) writer.bytes(parseHex(trailing, "trailing"))
  const datagram = writer.result()
  checkContent(writer, datagram)
  return datagram
}

/**
 * Checks the elements whose presence depends on the content of the datagram. A decoder must find such an element if, and only if, it was
 * encoded. For example, the check fails if a message has no number, but a decoder would read the beginning of the text as this number.
 */
const checkContent = (writer: Writer, datagram: Uint8Array): void => {
  for (const { at, isPresent, path, when } of writer.decided) {
    // If the datagram ends at this element, it does not matter whether the element is absent or empty: the bytes are the same.
    if (at === datagram.length) continue
    const content = String.fromCharCode(...datagram.subarray(at))
    const isRead = when.every((presence) => {
      if ("matches" in presence) return new RegExp(presence.matches).test(content)
      return !("misses" in presence) || !new RegExp(presence.misses).test(content)
    })
    if (isRead !== isPresent)
      throw new Unwritable(path, `would be decoded ${isRead ? "although it is absent" : "as another field"}`)
  }
}

const writeElements = (elements: ReadonlyArray<Element>, fields: Fields, writer: Writer, prefix: string): void => {
  let previous: Element | undefined
  for (const element of elements) {
    if (previous?.kind === "decimal" && element.kind === "text" && /^\d/.test(String(fields[element.name]))) {
      throw new Unwritable(
        prefix + element.name,
        `cannot begin with a digit: it would be decoded as part of ${previous.name}`
      )
    }
    writeElement(element, fields, writer, prefix)
    previous = element
  }
}

const writeElement = (element: Element, fields: Fields, writer: Writer, prefix: string): void => {
  const path = prefix + element.name
  const value = fields[element.name]
  const { when } = element
  if (when?.some((presence) => "matches" in presence || "misses" in presence) === true) {
    writer.decided.push({ at: writer.size, isPresent: value !== undefined, path, when })
  }
  switch (element.kind) {
    case "literal":
      return element.when === undefined || isDemanded(element.when, fields) ? writer.ascii(element.text) : undefined
    case "marker": {
      const code = fields[`${element.name}Code`]
      const other = typeof code === "number" && code !== 1 ? code : 0
      return writer.number("u8", fields[element.group] === undefined ? other : 1, path)
    }
    case "bits":
      return writeBits(element, fields, writer)
    case "list":
      return writeList(element, fields, writer)
    case "decimal":
      if (value === undefined && element.optional === true) return
      break
    case "word":
      if (value === undefined) return
      break
    default:
  }
  if (value === undefined) {
    if (element.when !== undefined && !isDemanded(element.when, fields)) return
    if (element.kind === "text" && element.omitEmpty === true) return writer.number("u8", 0, path)
    throw new Unwritable(path, "is missing")
  }
  if (element.when !== undefined && !isAllowed(element.when, fields)) {
    throw new Unwritable(path, `is only allowed if ${describe(element.when)}`)
  }
  switch (element.kind) {
    case "text":
      writer.bytes(textBytes(fields, element.name, path, writer.encoding))
      return endsWithoutNul(element, fields) ? undefined : writer.number("u8", 0, path)
    case "flag": {
      if (typeof value !== "boolean") throw new Unwritable(path, "must be true or false")
      const code = fields[`${element.name}Code`]
      if (code !== undefined && (value !== true || (code as number) < 2)) {
        throw new Unwritable(`${path}Code`, "is only allowed if the flag is true and its byte is neither 0 nor 1")
      }
      return writer.number("u8", code ?? (value ? 1 : 0), path)
    }
    case "code": {
      const byte = typeof value === "number" ? value : element.names[value as string]?.[0]
      if (byte === undefined)
        throw new Unwritable(path, `must be a number or one of ${Object.keys(element.names).join(", ")}`)
      return writer.number("u8", byte, path)
    }
    case "group":
      if (typeof value !== "object" || value === null) throw new Unwritable(path, "must be an object")
      return writeElements(element.fields, value as Fields, writer, `${path}.`)
    case "decimal":
      return writer.ascii(formatDecimal(element, value, path))
    case "hexadecimal":
      return writer.ascii(
        (wholeNumber(value, path, NUMBER_RANGES.i32) >>> 0).toString(16).toUpperCase().padStart(8, "0")
      )
    case "word":
      if (typeof value !== "string" || !/^[!-~]+$/.test(value)) {
        throw new Unwritable(path, "must be a word of visible ASCII characters")
      }
      return writer.ascii(` ${value}`)
    case "addresses":
      return writeAddresses(element, fields, writer)
    case "quoted": {
      const bytes = textBytes(fields, element.name, path, writer.encoding)
      if (bytes.includes(0x22))
        throw new Unwritable(path, "cannot contain a quotation mark, because the protocol cannot escape it")
      writer.ascii('"')
      writer.bytes(bytes)
      return writer.ascii('" ')
    }
    case "bytes": {
      const bytes = parseHex(value, path)
      const { size } = element
      if (size !== "rest" && fields[size.field] !== bytes.length) {
        throw new Unwritable(path, `has ${bytes.length} bytes, but ${size.field} is ${String(fields[size.field])}`)
      }
      return writer.bytes(bytes)
    }
    default:
      return writer.number(element.kind, value, path, element.range)
  }
}

const formatDecimal = ({ as, optional }: DecimalElement, value: unknown, path: string): string => {
  if (as === "u64") {
    if (!isU64(value)) throw new Unwritable(path, `must be a decimal string from 0 to ${MAX_U64}`)
    return value
  }
  if (as === "flag") {
    if (typeof value !== "boolean") throw new Unwritable(path, "must be true or false")
    return value ? "1" : "0"
  }
  if (!Number.isSafeInteger(value)) throw new Unwritable(path, "must be a whole number")
  return `${value as number}${optional === true ? " " : ""}`
}

const writeBits = (element: BitsElement, fields: Fields, writer: Writer): void => {
  const given = fields[element.name]
  const truncated = fields["truncated"] === true
  let bits = 0
  for (const { bit, element: field } of element.fields) {
    if (fields[field.name] !== undefined) bits |= bit
    else if (typeof given === "number" && (given & bit) !== 0 && !truncated) {
      throw new Unwritable(field.name, `is announced by ${element.name}, but missing`)
    }
  }
  if (typeof given === "number") bits |= given
  if (bits === 0 && given === undefined) {
    if (fields["trailing"] === undefined || truncated) return
    throw new Unwritable("trailing", `would be decoded as ${element.name}, so ${element.name} is also required`)
  }
  writer.number("u8", bits, element.name)
  for (const { element: field } of element.fields) {
    if (fields[field.name] !== undefined) writeElement(field, fields, writer, "")
  }
}

const writeList = ({ appended = [], count, entry, name }: ListElement, fields: Fields, writer: Writer): void => {
  const entries = fields[name]
  if (!Array.isArray(entries)) throw new Unwritable(name, "must be an array")
  entries.forEach((each: unknown, i) => {
    if (typeof each !== "object" || each === null) throw new Unwritable(`${name}[${i}]`, "must be an object")
  })
  writer.number(count.kind, fields[count.name] ?? Math.min(entries.length, NUMBER_RANGES[count.kind].max), count.name)
  const writeAll = (elements: ReadonlyArray<Element>): void =>
    entries.forEach((each: Fields, i) => writeElements(elements, each, writer, `${name}[${i}].`))
  writeAll(entry)
  if (entries.some((each: Fields) => appended.some((field) => each[field.name] !== undefined))) writeAll(appended)
}

const writeAddresses = (element: AddressesElement, fields: Fields, writer: Writer): void => {
  if (fields["padding"] !== undefined) writer.bytes(parseHex(fields["padding"], "padding"))
  const servers = fields[element.name]
  if (!Array.isArray(servers)) throw new Unwritable(element.name, "must be an array")
  for (const [i, address] of [...servers, ...(fields[element.end] === true ? ["0.0.0.0:0"] : [])].entries()) {
    const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3}):(\d{1,5})$/.exec(String(address))
    const numbers = match?.slice(1).map(Number) ?? []
    const port = numbers[4] ?? 0x1_0000
    if (port > 0xffff || numbers.slice(0, 4).some((byte) => byte > 0xff)) {
      throw new Unwritable(`${element.name}[${i}]`, "must be an IPv4 address with port, as in 192.0.2.1:27015")
    }
    writer.bytes(Uint8Array.from([...numbers.slice(0, 4), port >> 8, port & 0xff]))
  }
}

/** Whether a text is encoded without a NUL, because the message was decoded from a datagram that ended within this text. */
const endsWithoutNul = (element: TextElement, fields: Fields): boolean =>
  element.unterminated === "truncated" &&
  fields["truncated"] === true &&
  fields["edf"] === undefined &&
  fields["trailing"] === undefined

const textBytes = (fields: Fields, name: string, path: string, encoding: Encoding): Uint8Array => {
  const text = fields[name]
  const hex = fields[`${name}Hex`]
  if (hex === undefined && typeof text !== "string") throw new Unwritable(path, "must be a string")
  const bytes = hex === undefined ? encodeText(text as string, encoding) : parseHex(hex, `${path}Hex`)
  if (bytes === undefined) throw new Unwritable(path, `has a character that the encoding ${encoding} does not support`)
  if (bytes.includes(0)) throw new Unwritable(path, "cannot contain a NUL, because a NUL ends the text")
  return bytes
}

const parseHex = (value: unknown, path: string): Uint8Array => {
  const bytes = typeof value === "string" ? fromHex(value) : undefined
  if (bytes === undefined) throw new Unwritable(path, "must be bytes as hex text")
  return bytes
}

/** Whether the element must be present. It must be present if each of its conditions tests a field and is met. */
const isDemanded = (when: ReadonlyArray<Presence>, fields: Fields): boolean =>
  when.every((presence) => "field" in presence && fields[presence.field] === presence.equals)

/** Whether the element may be present. The function ignores conditions that test a marker, because a marker is not a field of a message. */
const isAllowed = (when: ReadonlyArray<Presence>, fields: Fields): boolean =>
  when.every(
    (presence) =>
      !("field" in presence) || fields[presence.field] === undefined || fields[presence.field] === presence.equals
  )

const describe = (when: ReadonlyArray<Presence>): string =>
  when.flatMap((presence) => ("field" in presence ? [`${presence.field} is ${presence.equals}`] : [])).join(" and ")
