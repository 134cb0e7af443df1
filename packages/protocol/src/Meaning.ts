/**
 * Explains the values of a dissected datagram in words, for programs that show the bytes of datagrams. For numbers, the declarations
 * specify the meaning (`means`, `values`).
 */
import { type Declaration, type Element, NUMBER_BYTES, type NumberElement } from "./declarations/Declaration.ts"
import { declarations } from "./declarations/declarations.ts"
import type { DissectedField } from "./Dissection.ts"
import { demand, demandBytes, demandObject, demandText, demandWhole } from "./internal/edge.ts"

/** One bit of a byte whose bits announce fields of the message. {@link listBits} returns a list of these bits. */
export interface NamedBit {
  readonly mask: number
  /** The value of this bit at its place in the byte, and a dot for each of the other seven bits, for example `.1.. ....`. */
  readonly pattern: string
  /** The field whose presence this bit announces; `undefined` for an undocumented bit. */
  readonly name: string | undefined
  readonly set: boolean
}

/**
 * The meaning of a field's value in words, or `undefined` if the value needs no explanation. Pass the declaration of the message that
 * contains the field (see `findDeclaration`). For a field of a fragment, omit the declaration.
 */
export const explainField = (
  field: DissectedField,
  datagram: Uint8Array,
  declaration?: Declaration
): string | undefined => {
  const { offset, path, type, value } = checked(field)
  demandBytes(datagram, "datagram")
  if (declaration !== undefined) demandDeclaration(declaration)
  const byte = datagram[offset] ?? 0
  if (path === "header") return value === -1 ? "a whole message" : "a fragment of a split reply"
  if (path === "type" && type === "u8") return character(byte)
  if (type === "addresses") return path === "end" ? "the end of the list" : undefined
  if (declaration === undefined) return explainFragmentField(path, Number(value))
  const element = elementAt(declaration.fields, path.replaceAll(/\[\d+\]/g, "").split("."))
  switch (element?.kind) {
    case "code":
      return typeof value === "number" ? `${character(byte)}, which has no name` : character(byte)
    case "flag":
    case "marker":
      return byte > 1 ? `${hex(byte, 2)}; must be 0 or 1` : undefined
    case "bits":
      return listBits(field, declaration)
        .flatMap((bit) => (bit.set ? [bit.name ?? `${hex(bit.mask, 2)}, which has no name`] : []))
        .join(", ")
  }
  if (element?.kind === "hexadecimal") return element.means && WORDS[element.means](value)
  if (element === undefined || !isNumber(element)) return undefined
  return element.values?.[Number(value)] ?? (element.means && WORDS[element.means](value))
}

const isNumber = (element: Element): element is NumberElement => element.kind in NUMBER_BYTES

const demandDeclaration = (value: Declaration): void =>
  demand(
    declarations.includes(value),
    "declaration",
    "must be the declaration of a message, which findDeclaration returns"
  )

/**
 * Returns the bits of a byte whose bits announce fields, highest bit first: all declared bits, and all undeclared bits that are set. If the
 * bits of `field` do not announce fields, the list is empty.
 */
export const listBits = (field: DissectedField, declaration: Declaration): ReadonlyArray<NamedBit> => {
  const { path, value } = checked(field)
  demandDeclaration(declaration)
  const element = declaration.fields.find((one) => one.kind === "bits" && one.name === path)
  if (element?.kind !== "bits") return []
  return [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01].flatMap((mask, place): ReadonlyArray<NamedBit> => {
    const name = element.fields.find(({ bit }) => bit === mask)?.element.name
    const set = (Number(value) & mask) !== 0
    if (name === undefined && !set) return []
    const places = Array.from({ length: 8 }, (_, i) => (i === place ? (set ? "1" : "0") : "."))
    return [{ mask, pattern: `${places.slice(0, 4).join("")} ${places.slice(4).join("")}`, name, set }]
  })
}

const elementAt = (elements: ReadonlyArray<Element>, [name, ...rest]: ReadonlyArray<string>): Element | undefined => {
  const announced = elements.flatMap((element) => (element.kind === "bits" ? element.fields : []))
  const found = [...elements, ...announced.map(({ element }) => element)].find((element) => element.name === name)
  if (found === undefined || rest.length === 0) return found
  if (found.kind === "group") return elementAt(found.fields, rest)
  return found.kind === "list" ? elementAt([...found.entry, ...(found.appended ?? [])], rest) : undefined
}

const hex = (value: number, digits: number): string => `0x${(value >>> 0).toString(16).padStart(digits, "0")}`

const character = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `${hex(byte, 2)} '${String.fromCharCode(byte)}'` : hex(byte, 2)

const explainFragmentField = (path: string, value: number): string | undefined => {
  if (path === "crc32") return hex(value, 8)
  return path === "id" ? `${hex(value, 8)}, ${value >= 0x8000_0000 ? "compressed" : "not compressed"}` : undefined
}

const checked = (field: DissectedField): DissectedField => {
  const copy = demandObject(field, "field")
  demandText(copy.path, "field.path")
  demandText(copy.type, "field.type")
  demandWhole(copy.offset, "field.offset", 0, Number.MAX_SAFE_INTEGER)
  demand(
    ["string", "number", "boolean"].includes(typeof copy.value),
    "field.value",
    "must be a text, a number, or true or false"
  )
  return copy
}

/**
 * Formats a duration, rounded down to seconds. The text begins with the largest unit that is not 0, and has at most three units, for
 * example `1 d 3 h 20 min`.
 */
const formatDuration = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const minutes = Math.floor(whole / 60)
  const hours = Math.floor(minutes / 60)
  const parts = [`${Math.floor(hours / 24)} d`, `${hours % 24} h`, `${minutes % 60} min`, `${whole % 60} s`]
  const first = parts.findIndex((part) => !part.startsWith("0 "))
  return first < 0 ? "less than a second" : parts.slice(first, first + 3).join(" ")
}

const toBigInt = (value: DissectedField["value"]): bigint => (/^\d+$/.test(String(value)) ? BigInt(value) : 0n)

const UNIVERSES = ["no universe", "public universe", "beta universe", "internal universe", "developers’ universe"]
const ACCOUNT_TYPES = [
  "invalid",
  "person",
  "multiseat",
  "game server",
  "anonymous game server",
  "pending",
  "content server",
  "group",
  "chat",
  "console user",
  "anonymous user"
]
const GAME_TYPES = ["app", "mod of app", "shortcut of app", "peer-to-peer file of app"]

const PORTS: Readonly<Record<number, string>> = {
  27005: "the usual port of a client",
  27015: "the usual port of a server",
  27020: "the usual port of SourceTV and HLTV"
}

const WORDS: Readonly<Record<NonNullable<NumberElement["means"]>, (value: DissectedField["value"]) => string>> = {
  seconds: (value) => {
    const seconds = Number(value)
    if (Number.isNaN(seconds)) return "not a number"
    if (!Number.isFinite(seconds)) return "without end"
    return seconds < 0 ? "no time: some engines send this for bots" : formatDuration(seconds)
  },
  port: (value) => PORTS[Number(value)] ?? (value === 0 ? "none" : hex(Number(value), 4)),
  challenge: (value) => (value === -1 ? "none yet: requests one" : hex(Number(value), 8)),
  steamId: (value) => {
    const id = toBigInt(value)
    const part = (shift: bigint, bits: bigint): number => Number((id >> shift) & ((1n << bits) - 1n))
    const type = part(52n, 4n)
    const universe = part(56n, 8n)
    return `${ACCOUNT_TYPES[type] ?? `type ${type}`}, ${UNIVERSES[universe] ?? `universe ${universe}`}, account ${part(0n, 32n)}, instance ${part(32n, 20n)}`
  },
  gameId: (value) => {
    const id = toBigInt(value)
    const type = Number((id >> 24n) & 0xffn)
    const mod = id >> 32n
    return `${GAME_TYPES[type] ?? `type ${type} of app`} ${id & 0xff_ffffn}${mod === 0n ? "" : `, number ${mod}`}`
  }
}
