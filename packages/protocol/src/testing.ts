/**
 * Generators of messages for property tests, built from the declarations. What they make has bytes, and those bytes decode to it.
 *
 * @module
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Codec } from "./Codec.ts"
import { demandCodec, encodeAs } from "./internal/interpret/byCodec.ts"
import { declarationOf } from "./declarations/declarations.ts"
import type {
  BitsElement,
  Declaration,
  Element,
  Fields,
  GroupElement,
  ListElement
} from "./declarations/Declaration.ts"
import { usualOf, type ValueElement } from "./declarations/properties.ts"
import { fromHex } from "./Hex.ts"
import { MAX_U64 } from "./internal/decimal.ts"
import { NUMBER_RANGES } from "./internal/interpret/writer.ts"
import { appIdIn } from "./internal/rules.ts"
import { between, valueSchema } from "./internal/schemas.ts"

/**
 * Messages as a server would send them: regular, whole, texts in UTF-8. Irregular ones (truncated, padded, wrongly counted) are made by
 * changing the bytes.
 *
 * @example
 * import * as Arbitrary from "effect/Arbitrary"
 * import { RulesReply } from "@sourcewire/protocol"
 * import { arbitrary } from "@sourcewire/protocol/testing"
 * const samples = Arbitrary.sampleEffect(arbitrary(RulesReply), { count: 10, seed: 1 })
 */
export const arbitrary = <A>(codec: Codec<A>): Arbitrary.Arbitrary<A> => {
  demandCodec(codec)
  const declaration = declarationOf(codec.tag)!
  return objectOf(declaration.fields).pipe(
    Arbitrary.map((fields) => regular(declaration, fields) as A),
    // Some texts have no bytes: a NUL, half a surrogate pair.
    Arbitrary.filter((message) => Result.isSuccess(encodeAs(codec as never, message as never)))
  )
}

const ABSENT = Symbol("absent")

/** Of an object with the fields of these elements, as far as they are there. */
const objectOf = (elements: ReadonlyArray<Element>): Arbitrary.Arbitrary<Fields> => {
  const generators = usualOf(elements).map(({ element, optional }) => {
    const value = generatorOf(element)
    if (!optional) return [element.name, value] as const
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

const TEXTS = Schema.Union([
  Schema.String,
  Schema.String.check(Schema.isMaxLength(12)),
  Schema.Literals(["", "Zoë ★", "Город", "^1red"])
])

const generatorOf = (element: ValueElement): Arbitrary.Arbitrary<unknown> => {
  switch (element.kind) {
    case "text":
    case "quoted":
      return Arbitrary.schema(TEXTS).pipe(Arbitrary.map((text) => text.replaceAll("\0", "").replaceAll('"', "")))
    case "code":
      // A byte that has a name is read as the name.
      return Arbitrary.schema(valueSchema(element) as Schema.Codec<string | number>).pipe(
        Arbitrary.map(
          (code) => Object.keys(element.names).find((name) => element.names[name]!.includes(code as number)) ?? code
        )
      )
    case "u64":
      return Arbitrary.schema(U64).pipe(Arbitrary.map(String))
    case "f32":
      // Adding 0 turns −0, which JSON lacks, into 0.
      return Arbitrary.schema(SECONDS).pipe(Arbitrary.map((seconds) => Math.fround(seconds) + 0))
    case "decimal":
      return Arbitrary.schema(between(NUMBER_RANGES.u32))
    case "group":
      return objectOf(element.fields)
    case "addresses":
      return Arbitrary.array(
        Arbitrary.schema(ADDRESS).pipe(Arbitrary.map((bytes) => `${bytes.slice(0, 4).join(".")}:${bytes[4]}`))
      )
    case "list":
      return entriesOf(element)
    default:
      return Arbitrary.schema(valueSchema(element) as Schema.Codec<unknown>)
  }
}

const U64 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: MAX_U64 }))
const SECONDS = Schema.Finite.check(Schema.isBetween({ minimum: -1, maximum: 1e9 }))
const BYTE = between(NUMBER_RANGES.u8)
// A first byte of 0 is kept out: 0.0.0.0:0 would end the list.
const ADDRESS = Schema.Tuple([between({ min: 1, max: 255 }), BYTE, BYTE, BYTE, between(NUMBER_RANGES.u16)])

const entriesOf = ({ appended = [], entry }: ListElement): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.all({
    entries: Arbitrary.array(objectOf(entry), { maxLength: 300 }),
    extra: Arbitrary.schema(Schema.Boolean),
    first: Arbitrary.schema(between({ min: 0, max: 16_000 }))
  }).pipe(
    Arbitrary.map(({ entries, extra, first }) => {
      const more = (i: number) =>
        (extra ? appended : []).map(({ name }, k) => [name, first + appended.length * i + k] as const)
      return entries.map((each, i) => ({ ...each, ...Object.fromEntries(more(i)) }))
    })
  )

/** Makes fields agree that depend on each other. */
const regular = (declaration: Declaration, generated: Fields): Fields => {
  const message: Fields = { _tag: declaration.tag, ...generated }
  for (const element of declaration.fields) {
    if (element.kind === "bits") flag(element, message)
    else if (element.kind === "group") condition(element, message)
    else if (element.kind === "list") {
      const entries = message[element.name] as ReadonlyArray<unknown>
      message[element.count.name] = Math.min(entries.length, NUMBER_RANGES[element.count.kind].max)
      message["truncated"] = false
    } else if (element.kind === "bytes" && element.size !== "rest") {
      message[element.size.field] = fromHex(message[element.name] as string)!.length
    } else if (element.kind === "addresses") {
      message[element.end] = (message[element.name] as ReadonlyArray<string>).length % 2 === 0
    }
  }
  return message
}

/** The byte of flags, and the app id that a game id dictates. */
const flag = (element: BitsElement, message: Fields): void => {
  let bits = 0
  for (const { bit, element: field } of element.fields) if (field.name in message) bits |= bit
  if (bits !== 0) message[element.name] = bits
  const gameId = message["gameId"]
  if (typeof gameId !== "string" || "theShip" in message) return
  const appId = appIdIn(gameId)
  if (appId !== 0) message["appId"] = appId
}

/** A group is there exactly when its condition holds; one about the bytes left excludes what would stand in its place. */
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
