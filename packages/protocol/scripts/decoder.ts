/**
 * Generates straight-line decoders from declarations. These decoders read only complete, regular datagrams. For every other datagram they
 * return `undefined`, and the interpreter reads it: it returns the complete part, or an error.
 */
import type { Declaration, Element, ListElement, NumberKind } from "../src/declarations/Declaration.ts"
import { NUMBER_BYTES } from "../src/declarations/Declaration.ts"
import { HEADER_BYTES } from "../src/Wire.ts"
import { connectionless } from "../src/Words.ts"
import { typeName } from "./interfaces.ts"

/** The decoder function of a message, with the class of its values. */
export const generateDecoder = (declaration: Declaration): string => {
  const list = declaration.fields.find((field) => field.kind === "list")
  return list === undefined ? optionalDecoder(declaration) : listDecoder(declaration, list)
}

const HEADER = Array.from(connectionless(""), (byte, at) => `bytes[${at}] !== ${byte}`).join(" || ")

/** The start of a decoder, which rejects messages of other types. The `count` of a list follows the type directly. */
const head = ({ tag, type }: Declaration, count?: ListElement["count"]): string => {
  const first = HEADER_BYTES + 1
  const start = first + (count === undefined ? 0 : NUMBER_BYTES[count.kind])
  const counted = count === undefined ? "" : `\n  const ${count.name} = ${valueAt(count, String(first))}`
  return `const decode${tag} = (bytes: Uint8Array, encoding: Encoding): ${tag} | undefined => {
  if (bytes.length < ${start} || bytes[${HEADER_BYTES}] !== ${type} || ${HEADER}) return undefined${counted}
  const end = bytes.length
  const chars = toChars(bytes)
  foreign.extras = undefined
  let at = ${start}`
}

const listDecoder = (declaration: Declaration, list: ListElement): string => {
  const entryName = typeName(list.entryName)
  const entry = list.entry.map((field) => field.name)
  const reads = generateReads(list.entry, (texts) => texts.flatMap(textRead))
  return `${head(declaration, list.count)}
  const ${list.name}: Array<${entryName}> = []
  for (let i = 0; i < ${list.count.name}; i++) {
${indented(4, reads)}
    const entry: ${entryName} = { ${entry.join(", ")} }
    if (foreign.extras !== undefined) takeExtras(entry)
    ${list.name}.push(entry)
  }
  if (at !== end) return undefined
  return { _tag: "${declaration.tag}", ${list.count.name}, ${list.name}, truncated: false }
}`
}

const indented = (blanks: number, lines: ReadonlyArray<string>): string =>
  lines.map((line) => " ".repeat(blanks) + line).join("\n")

/** Groups adjacent elements: fields of fixed size, which share one bounds check, and texts. */
const runs = (elements: ReadonlyArray<Element>): Array<Array<Element>> => {
  const found: Array<Array<Element>> = []
  for (const element of elements) {
    const last = found.at(-1)
    if (last !== undefined && isFixed(last[0]!) === isFixed(element)) last.push(element)
    else found.push([element])
  }
  return found
}

const isFixed = (element: Element): boolean =>
  (element.kind in NUMBER_BYTES || element.kind === "flag" || element.kind === "code") && !("when" in element)

/**
 * The code that reads fields in order. By default, `indexOf` finds the ends of adjacent texts, and one call checks all of them for bytes
 * above 0x7F. A loop per text (`textRead`) is faster in lists with hundreds of entries, but makes the other decoders 50 % more expensive
 * to compile.
 */
const generateReads = (
  elements: ReadonlyArray<Element>,
  ofTexts: typeof textsRead = textsRead
): ReadonlyArray<string> => runs(elements).flatMap((run) => (run[0]!.kind === "text" ? ofTexts(run) : fixedRun(run)))

const textsRead = (texts: ReadonlyArray<Element>): ReadonlyArray<string> => {
  const names = texts.map(({ name }) => name)
  const [first] = names as [string]
  const starts = names.map((_, i) => (i === 0 ? "at" : `${names[i - 1]}End + 1`))
  const last = `${names.at(-1)}End`
  const isAscii = `${first}IsAscii`
  return [
    ...names.flatMap((name, i) => [
      `const ${name}End = chars.indexOf("\\0", ${starts[i]})`,
      `if (${name}End === -1) return undefined`
    ]),
    `const ${isAscii} = isAscii(bytes, at, ${last})`,
    ...names.map((name, i) => {
      const range = `${starts[i]}, ${name}End`
      return `const ${name} = ${isAscii} ? chars.substring(${range}) : foreignText(bytes, ${range}, encoding, "${name}")`
    }),
    `at = ${last} + 1`
  ]
}

/** The code that reads a text in a list. One loop finds the NUL and checks for bytes above 0x7F. */
const textRead = ({ name }: Element): ReadonlyArray<string> => [
  `const ${name}Start = at`,
  `let ${name}Bits = 0`,
  `for (let byte = 0; at < end && (byte = bytes[at]!) !== 0; at++) ${name}Bits |= byte`,
  "if (at >= end) return undefined",
  `const ${name} = ${name}Bits < 0x80 ? chars.substring(${name}Start, at) : foreignText(bytes, ${name}Start, at, encoding, "${name}")`,
  "at++"
]

const fixedRun = (run: ReadonlyArray<Element>): ReadonlyArray<string> => {
  const at = `${run[0]!.name}At`
  const values: Array<string> = []
  // If a flag is neither 0 nor 1, the interpreter reads the datagram, because the message must contain the number that was sent.
  const checks: Array<string> = []
  let offset = 0
  for (const element of run) {
    values.push(`const ${element.name} = ${valueAt(element, offset === 0 ? at : `${at} + ${offset}`)}`)
    if (element.kind === "flag") checks.push(`if (bytes[${at} + ${offset}]! > 1) return undefined`)
    offset += element.kind in NUMBER_BYTES ? NUMBER_BYTES[element.kind as NumberKind] : 1
  }
  return [`const ${at} = at`, `at += ${offset}`, "if (at > end) return undefined", ...values, ...checks]
}

/** The value of an element of fixed size. */
const valueAt = (element: Element, at: string): string => {
  const byte = (more: number): string => `bytes[${more === 0 ? at : `${at} + ${more}`}]!`
  switch (element.kind) {
    case "flag":
      return `${byte(0)} === 1`
    case "code": {
      const cases = Object.entries(element.names).map(
        ([name, codes]) => `${codes.map((code) => `b === ${code}`).join(" || ")} ? "${name}"`
      )
      return `((b: number) => (${cases.join(" : ")} : b))(${byte(0)})`
    }
    case "u8":
      return byte(0)
    case "u16":
      return `${byte(0)} | (${byte(1)} << 8)`
    case "i32":
      return `${byte(0)} | (${byte(1)} << 8) | (${byte(2)} << 16) | (${byte(3)} << 24)`
    case "u32":
      return `(${byte(0)} | (${byte(1)} << 8) | (${byte(2)} << 16) | (${byte(3)} << 24)) >>> 0`
    default:
      // The functions for the other numbers have the names of their formats.
      return `${element.kind}(bytes, ${at})`
  }
}

/** Messages with optional fields. */
const optionalDecoder = (declaration: Declaration): string => {
  const { fields, rule, tag } = declaration
  const group = fields.find((element) => element.kind === "group")
  const bits = fields.find((element) => element.kind === "bits")
  const condition = group?.when?.[0]
  if (group === undefined || bits === undefined || condition === undefined || !("field" in condition))
    throw new Error(`${tag}: not foreseen`)
  const before = fields.slice(0, fields.indexOf(group))
  const after = fields.slice(fields.indexOf(group) + 1, fields.indexOf(bits))
  const reads = [
    ...generateReads(before),
    // Messages with this group are rare, so the interpreter reads them.
    `if (${condition.field} === ${JSON.stringify(condition.equals)}) return undefined`,
    ...generateReads(after)
  ]
  const names = [...before, ...after].map(({ name }) => name)
  return `${head(declaration)}
${indented(2, reads)}
  const message: Writable<${tag}> = { _tag: "${tag}", ${names.join(", ")} }
  if (at < end) {
    const bits = bytes[at++]!
${bits.fields.map(({ bit, element }) => bitRead(bit, element)).join("\n")}
    message.${bits.name} = bits
  }
  if (at !== end) return undefined
  if (foreign.extras !== undefined) takeExtras(message)
${rule === undefined ? "" : `  if (message.${rule.about} !== undefined) ${rule.decoded.name}(message)\n`}  return message
}`
}

const bitRead = (bit: number, element: Element): string => {
  const { name } = element
  const reads =
    element.kind === "group"
      ? groupRead(name, element.fields)
      : [...generateReads([element]), `message.${name} = ${name}`]
  return `    if ((bits & ${bit}) !== 0) {
${indented(6, reads)}
    }`
}

/** The code that reads a group of numbers and texts. It first moves the stored bytes of earlier inexact texts to the message. */
const groupRead = (name: string, fields: ReadonlyArray<Element>): ReadonlyArray<string> => [
  "if (foreign.extras !== undefined) takeExtras(message)",
  ...generateReads(fields),
  `const group = { ${fields.map((field) => field.name).join(", ")} }`,
  "if (foreign.extras !== undefined) takeExtras(group)",
  `message.${name} = group`
]
