/**
 * Generators of messages for property tests, built from the declarations. Every generated message can be encoded, and the decoder returns
 * an equal message for these bytes.
 *
 * @module
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Codec } from "./Codec.ts"
import { demandCodec, encodeAs } from "./internal/interpret/byCodec.ts"
import { findDeclaration } from "./declarations/declarations.ts"
import type {
  BitsElement,
  Declaration,
  Element,
  Fields,
  GroupElement,
  ListElement
} from "./declarations/Declaration.ts"
import { usualProperties, type ValueElement } from "./declarations/properties.ts"
import { fromHex } from "./Hex.ts"
import { MAX_U64 } from "./internal/decimal.ts"
import { NUMBER_RANGES } from "./internal/interpret/writer.ts"
import { extractAppId } from "./internal/rules.ts"
import { between, valueSchema } from "./internal/schemas.ts"

/**
 * Generates messages as a server or a client would send them: regular and complete, with texts in UTF-8. To get an irregular
 * datagram (truncated, padded, or with a wrong count), encode a message and change the bytes.
 *
 * @example
 * import * as Arbitrary from "effect/Arbitrary"
 * import { RulesReply } from "@sourcewire/protocol"
 * import { arbitrary } from "@sourcewire/protocol/testing"
 * const samples = Arbitrary.sampleEffect(arbitrary(RulesReply), { count: 10, seed: 1 })
 */
export const arbitrary = <A>(codec: Codec<A>): Arbitrary.Arbitrary<A> => {
  demandCodec(codec)
  const declaration = findDeclaration(codec.tag)!
  const dependsOnContent = declaration.fields.some(({ when = [] }) => when.some((one) => "text" in one))
  return generateObject(declaration.fields).pipe(
    Arbitrary.map((fields) => regular(declaration, fields) as A),
    Arbitrary.filter((message) => {
      // A message cannot be encoded if one of its texts contains half a surrogate pair.
      const bytes = encodeAs(codec as never, message as never)
      if (Result.isFailure(bytes)) return false
      return !dependsOnContent || hasSameFields(message as Fields, codec.decode(bytes.success))
    })
  )
}

/**
 * Whether a decoded message has the same fields as the encoded message. The two messages can have different fields if the content of the
 * datagram determines which fields are present.
 */
const hasSameFields = (message: Fields, read: Result.Result<unknown, unknown>): boolean =>
  Result.isSuccess(read) &&
  Object.keys(read.success as Fields)
    .sort()
    .join() === Object.keys(message).sort().join()

const ABSENT = Symbol("absent")

/** Generates an object with one field per element. Optional elements are sometimes absent. */
const generateObject = (elements: ReadonlyArray<Element>): Arbitrary.Arbitrary<Fields> => {
  const generators = usualProperties(elements).map(({ element, optional }) => {
    const decisive = decisiveValues(elements, element.name)
    const value =
      decisive.length === 0
        ? generateValue(element)
        : Arbitrary.all({
            any: generateValue(element),
            decisive: Arbitrary.schema(Schema.Literals(decisive)),
            isDecisive: Arbitrary.schema(Schema.Boolean)
          }).pipe(Arbitrary.map(({ any, decisive, isDecisive }) => (isDecisive ? decisive : any)))
    if (!optional || dependsOnField(element)) return [element.name, value] as const
    const isLeftOut = (value: unknown) => value === "" && "omitEmpty" in element
    const maybe = Arbitrary.all({ value, there: Arbitrary.schema(Schema.Boolean) }).pipe(
      Arbitrary.map(({ there, value }) => (there && !isLeftOut(value) ? value : ABSENT))
    )
    return [element.name, maybe] as const
  })
  return Arbitrary.all(Object.fromEntries(generators)).pipe(
    Arbitrary.map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ABSENT)))
  )
}

/**
 * Whether the element is present only if another field has a certain value; false for a group. If the other field has a different value,
 * `regular` removes the element.
 */
const dependsOnField = ({ kind, when = [] }: Element): boolean =>
  kind !== "group" && when.some((presence) => "field" in presence)

/** The values of the field `name` that determine whether other elements are present. */
const decisiveValues = (elements: ReadonlyArray<Element>, name: string): ReadonlyArray<number | string | boolean> =>
  elements.flatMap((element) =>
    (dependsOnField(element) ? element.when! : []).flatMap((presence) =>
      "field" in presence && presence.field === name ? [presence.equals] : []
    )
  )

const TEXTS = Schema.Union([
  Schema.String,
  Schema.String.check(Schema.isMaxLength(12)),
  Schema.Literals(["", "Zoë ★", "Город", "^1red"])
])

const generateValue = (element: ValueElement): Arbitrary.Arbitrary<unknown> => {
  switch (element.kind) {
    case "text":
    case "quoted":
      return Arbitrary.schema(TEXTS).pipe(Arbitrary.map((text) => text.replaceAll("\0", "").replaceAll('"', "")))
    case "code":
      // The decoder returns the name of the byte, if the declaration lists a name for this byte.
      return Arbitrary.schema(valueSchema(element) as Schema.Codec<string | number>).pipe(
        Arbitrary.map(
          (code) => Object.keys(element.names).find((name) => element.names[name]!.includes(code as number)) ?? code
        )
      )
    case "u64":
      return Arbitrary.schema(U64).pipe(Arbitrary.map(String))
    case "f32":
      // Adding 0 converts −0 to 0, because `JSON.stringify` writes −0 as 0.
      return Arbitrary.schema(SECONDS).pipe(Arbitrary.map((seconds) => Math.fround(seconds) + 0))
    case "decimal":
      if (element.as === "u64") return Arbitrary.schema(U64).pipe(Arbitrary.map(String))
      if (element.as === "flag") return Arbitrary.schema(Schema.Boolean)
      return Arbitrary.schema(between(NUMBER_RANGES.u32))
    case "word":
      return Arbitrary.schema(Schema.Literals(["steam", "x", "!~"]))
    case "group":
      return generateObject(element.fields)
    case "addresses":
      return Arbitrary.array(
        Arbitrary.schema(ADDRESS).pipe(Arbitrary.map((bytes) => `${bytes.slice(0, 4).join(".")}:${bytes[4]}`))
      )
    case "list":
      return generateEntries(element)
    default:
      return Arbitrary.schema(valueSchema(element) as Schema.Codec<unknown>)
  }
}

const U64 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: MAX_U64 }))
const SECONDS = Schema.Finite.check(Schema.isBetween({ minimum: -1, maximum: 1e9 }))
const BYTE = between(NUMBER_RANGES.u8)
// The first byte is never 0, because 0.0.0.0:0 would end the list.
const ADDRESS = Schema.Tuple([between({ min: 1, max: 255 }), BYTE, BYTE, BYTE, between(NUMBER_RANGES.u16)])

const generateEntries = ({ appended = [], entry }: ListElement): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.all({
    entries: Arbitrary.array(generateObject(entry), { maxLength: 300 }),
    extra: Arbitrary.schema(Schema.Boolean),
    first: Arbitrary.schema(between({ min: 0, max: 16_000 }))
  }).pipe(
    Arbitrary.map(({ entries, extra, first }) => {
      const more = (i: number) =>
        (extra ? appended : []).map(({ name }, k) => [name, first + appended.length * i + k] as const)
      return entries.map((each, i) => ({ ...each, ...Object.fromEntries(more(i)) }))
    })
  )

/** Makes fields that depend on each other consistent, for example a list and its count. */
const regular = (declaration: Declaration, generated: Fields): Fields => {
  const message: Fields = { _tag: declaration.tag, ...generated }
  for (const element of declaration.fields) {
    if (dependsOnField(element)) {
      const isThere = element.when!.every((one) => !("field" in one) || message[one.field] === one.equals)
      if (!isThere) delete message[element.name]
    }
    if (element.kind === "bits") flag(element, message)
    else if (element.kind === "group") condition(element, message)
    else if (element.kind === "list") {
      const entries = message[element.name] as ReadonlyArray<unknown>
      message[element.count.name] = Math.min(entries.length, NUMBER_RANGES[element.count.kind].max)
      message["truncated"] = false
    } else if (element.kind === "bytes" && element.size !== "rest" && element.name in message) {
      message[element.size.field] = fromHex(message[element.name] as string)!.length
    } else if (element.kind === "addresses") {
      message[element.end] = (message[element.name] as ReadonlyArray<string>).length % 2 === 0
    }
  }
  return message
}

/** Sets the byte whose bits announce fields, and sets the app id to the value that the game id determines. */
const flag = (element: BitsElement, message: Fields): void => {
  let bits = 0
  for (const { bit, element: field } of element.fields) if (field.name in message) bits |= bit
  if (bits !== 0) message[element.name] = bits
  const gameId = message["gameId"]
  if (typeof gameId !== "string" || "theShip" in message) return
  const appId = extractAppId(gameId)
  if (appId !== 0) message["appId"] = appId
}

/**
 * Makes a message consistent with the conditions of a group. If the group is present, the function sets each field that a condition tests.
 * If a condition tests the number of remaining bytes, the function removes the field `bots`, which would add a byte after the group.
 */
const condition = (element: GroupElement, message: Fields): void => {
  for (const presence of element.when ?? []) {
    if ("field" in presence && element.name in message && presence.field in message)
      message[presence.field] = presence.equals
    if ("left" in presence && presence.left === "exactly" && element.name in message) delete message["bots"]
  }
  if (element.name === "theShip") {
    if ("theShip" in message) delete message["gameId"]
    else if (message["appId"] === 2400) message["appId"] = 2401
  }
}
