/**
 * Straight-line decoders from declarations. They take only whole, regular datagrams; for everything else they return `undefined`, and
 * the interpreter says what is wrong or keeps what is whole.
 */
import type { Declaration, Element, ListElement, NumberKind } from "../src/declarations/Declaration.ts"
import { NUMBER_BYTES } from "../src/declarations/Declaration.ts"
import { HEADER_BYTES } from "../src/Wire.ts"
import { connectionless } from "../src/Words.ts"
import { typeName } from "./interfaces.ts"

/** The decoder function of a message, with the class of its values where one is needed. */
export const decoderOf = (declaration: Declaration): string => {
  const list = declaration.fields.find((field) => field.kind === "list")
  if (list !== undefined) return listDecoder(declaration, list)
  const hasOptional = declaration.fields.some((field) => field.kind === "bits")
  return hasOptional ? optionalDecoder(declaration) : literalDecoder(declaration)
}

const head = (tag: string): string =>
  `const decode${tag} = (bytes: Uint8Array, encoding: Encoding): ${tag} | undefined => {`

const HEADER = Array.from(connectionless(""), (byte, at) => `bytes[${at}] !== ${byte}`).join(" || ")

const isMessage = (declaration: Declaration): string =>
  `  if (bytes.length < 5 || bytes[${HEADER_BYTES}] !== ${declaration.type} || ${HEADER}) return undefined`

/** Messages of numbers only, of one fixed size. */
const literalDecoder = (declaration: Declaration): string => {
  let at = HEADER_BYTES + 1
  const properties = declaration.fields.map((element) => {
    const value = numberAt(element.kind as NumberKind, `${at}`)
    at += NUMBER_BYTES[element.kind as NumberKind]
    return `${element.name}: ${value}`
  })
  return `const decode${declaration.tag} = (bytes: Uint8Array): ${declaration.tag} | undefined => {
  if (bytes.length !== ${at}) return undefined
${isMessage(declaration)}
  return { _tag: "${declaration.tag}", ${properties.join(", ")} }
}`
}

const listDecoder = (declaration: Declaration, list: ListElement): string => {
  const start = 5 + NUMBER_BYTES[list.count.kind]
  const entryName = typeName(list.entryName)
  const entry = list.entry.map((field) => field.name)
  const message = ["announced", list.name, "truncated"]
  const reads = runs(list.entry)
    .flatMap((run) => (run[0]!.kind === "text" ? run.map(({ name }) => textRead(name, "    ")) : fixedRun(run, "    ")))
    .join("\n")
  return `${maker(`${entryName}Value`, entryName, undefined, entry)}

${maker(`${declaration.tag}Value`, declaration.tag, declaration.tag, message)}

${head(declaration.tag)}
${isMessage(declaration)}
  if (bytes.length < ${start}) return undefined
  const announced = ${numberAt(list.count.kind, "5")}
  const end = bytes.length
  const chars = charsOf(bytes)
  foreign.extras = undefined
  let at = ${start}
  const ${list.name}: Array<${entryName}> = []
  for (let i = 0; i < announced; i++) {
${reads}
    const entry = new ${entryName}Value(${entry.join(", ")})
    if (foreign.extras !== undefined) takeExtras(entry)
    ${list.name}.push(entry)
  }
  if (at !== end) return undefined
  return new ${declaration.tag}Value(announced, ${list.name}, false)
}`
}

/** What makes a list's values: see `plain`. */
const maker = (name: string, type: string, tag: string | undefined, fields: ReadonlyArray<string>): string => {
  const assignments = fields.map((field) => `  this.${field} = ${field}`)
  if (tag !== undefined) assignments.unshift(`  this._tag = "${tag}"`)
  return `const ${name} = /* @__PURE__ */ plain<${type}, [${fields.map((field) => `${type}["${field}"]`).join(", ")}]>(function (${fields.join(", ")}) {
${assignments.join("\n")}
})`
}

/** Adjacent fields of fixed size, which one check of the bounds is enough for, and adjacent texts. */
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
 * Reads of fields in order. Adjacent texts are searched for by the runtime and looked through together: a loop for each, which is faster
 * in a list of hundreds, makes a decoder of single texts half as expensive again to compile.
 */
const readsOf = (elements: ReadonlyArray<Element>, indent: string): ReadonlyArray<string> =>
  runs(elements).map((run) => (run[0]!.kind === "text" ? textsRead(run, indent) : fixedRun(run, indent)))

const textsRead = (texts: ReadonlyArray<{ readonly name: string }>, indent: string): string => {
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
    .map((code) => indent + code)
    .join("\n")
}

/** In lists: looks for the NUL and for bytes above 0x7F in one loop. */
const textRead = (name: string, indent: string): string =>
  [
    `const ${name}Start = at`,
    `let ${name}Bits = 0`,
    `for (let byte = 0; at < end && (byte = bytes[at]!) !== 0; at++) ${name}Bits |= byte`,
    "if (at >= end) return undefined",
    `const ${name} = ${name}Bits < 0x80 ? chars.substring(${name}Start, at) : foreignText(bytes, ${name}Start, at, encoding, "${name}")`,
    "at++"
  ]
    .map((code) => indent + code)
    .join("\n")

const fixedRun = (run: ReadonlyArray<Element>, indent: string): string => {
  const at = `${run[0]!.name}At`
  const values: Array<string> = []
  // A flag that is neither 0 nor 1 keeps its number: the interpreter knows where.
  const checks: Array<string> = []
  let offset = 0
  for (const element of run) {
    values.push(`const ${element.name} = ${valueAt(element, offset === 0 ? at : `${at} + ${offset}`)}`)
    if (element.kind === "flag") checks.push(`if (bytes[${at} + ${offset}]! > 1) return undefined`)
    offset += element.kind in NUMBER_BYTES ? NUMBER_BYTES[element.kind as NumberKind] : 1
  }
  const bounds = [`const ${at} = at`, `at += ${offset}`, "if (at > end) return undefined"]
  return [...bounds, ...values, ...checks].map((code) => indent + code).join("\n")
}

const valueAt = (element: Element, at: string): string => {
  if (element.kind === "flag") return `bytes[${at}] === 1`
  if (element.kind !== "code") return numberAt(element.kind as NumberKind, at)
  const cases = Object.entries(element.names).map(
    ([name, codes]) => `${codes.map((code) => `b === ${code}`).join(" || ")} ? "${name}"`
  )
  return `((b: number) => (${cases.join(" : ")} : b))(bytes[${at}]!)`
}

const numberAt = (kind: NumberKind, at: string): string => {
  // A place that is known is a number, any other the name of a variable.
  const place = (more: number): string => (/^\d+$/.test(at) ? `${Number(at) + more}` : `${at} + ${more}`)
  const byte = (more: number): string => `bytes[${more === 0 ? at : place(more)}]!`
  switch (kind) {
    case "u8":
      return byte(0)
    case "u16":
      return `${byte(0)} | (${byte(1)} << 8)`
    case "i32":
      return `${byte(0)} | (${byte(1)} << 8) | (${byte(2)} << 16) | (${byte(3)} << 24)`
    case "u32":
      return `(${byte(0)} | (${byte(1)} << 8) | (${byte(2)} << 16) | (${byte(3)} << 24)) >>> 0`
    case "f32":
      return `f32(bytes, ${at})`
    case "u64":
      return `u64(bytes, ${at})`
  }
}

/** Messages with optional fields. */
const optionalDecoder = (declaration: Declaration): string => {
  const { fields, rule, tag } = declaration
  const required = fields.filter((element) => element.kind !== "bits" && !("when" in element))
  const group = fields.find((element) => element.kind === "group")
  if (group === undefined || group.when?.length !== 1 || !("field" in group.when[0]!))
    throw new Error(`${tag}: not foreseen`)
  const condition = group.when[0]
  const before = fields.slice(0, fields.indexOf(group))
  const after = fields.slice(fields.indexOf(group) + 1).filter((element) => element.kind !== "bits")
  const bits = fields.find((element) => element.kind === "bits")!
  const reads = [
    ...readsOf(before, "  "),
    // Values of this shape are rare: the interpreter reads them.
    `  if (${condition.field} === ${JSON.stringify(condition.equals)}) return undefined`,
    ...readsOf(after, "  ")
  ]
  const names = required.map(({ name }) => name)
  return `${maker(`${tag}Value`, tag, tag, names)}

${head(tag)}
${isMessage(declaration)}
  const end = bytes.length
  const chars = charsOf(bytes)
  foreign.extras = undefined
  let at = ${HEADER_BYTES + 1}
${reads.join("\n")}
  const message: Writable<${tag}> = new ${tag}Value(${names.join(", ")})
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
      : [...readsOf([element], "      "), `      message.${name} = ${name}`]
  return [`    if ((bits & ${bit}) !== 0) {`, ...reads, "    }"].join("\n")
}

/** A group of numbers and texts; texts before it may have left their bytes, which belong to the message. */
const groupRead = (name: string, fields: ReadonlyArray<Element>): ReadonlyArray<string> => [
  "      if (foreign.extras !== undefined) takeExtras(message)",
  ...readsOf(fields, "      "),
  `      const group = { ${fields.map((field) => field.name).join(", ")} }`,
  "      if (foreign.extras !== undefined) takeExtras(group)",
  `      message.${name} = group`
]
