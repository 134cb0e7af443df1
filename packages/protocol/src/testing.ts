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
import type { BitsElement, Declaration, Element, Fields, ListElement } from "./declarations/Declaration.ts"
import { type Property, usualOf, type ValueElement } from "./declarations/properties.ts"
import { fromHex } from "./Hex.ts"
import { MAX_U64 } from "./internal/decimal.ts"
import { appIdIn } from "./internal/rules.ts"
import { valueSchema } from "./internal/schemas.ts"

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
  return Arbitrary.all(generatorsOf(usualOf(declaration.fields))).pipe(
    Arbitrary.map((fields) => regular(declaration, present(fields as Fields)) as A),
    // Some texts have no bytes: a NUL, half a surrogate pair.
    Arbitrary.filter((message) => Result.isSuccess(encodeAs(codec as never, message as never)))
  )
}

const ABSENT = Symbol("absent")

type Generators = Record<string, Arbitrary.Arbitrary<unknown>>

const generatorsOf = (properties: ReadonlyArray<Property>): Generators =>
  Object.fromEntries(
    properties.map(({ element, optional }) => {
      const value = generatorOf(element)
      if (element.kind === "text" && element.omitEmpty === true) {
        return [element.name, value.pipe(Arbitrary.map((text) => (text === "" ? ABSENT : text)))]
      }
      return [element.name, optional ? maybe(value) : value]
    })
  )

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
      return Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff_ffff })))
    case "group":
      return Arbitrary.all(generatorsOf(usualOf(element.fields))).pipe(
        Arbitrary.map((group) => present(group as Fields))
      )
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
const BYTE = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
// A first byte of 0 is kept out: 0.0.0.0:0 would end the list.
const ADDRESS = Schema.Tuple([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 255 })),
  BYTE,
  BYTE,
  BYTE,
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
])

const entriesOf = (element: ListElement): Arbitrary.Arbitrary<unknown> => {
  const entries = Arbitrary.array(Arbitrary.all(generatorsOf(usualOf(element.entry))), { maxLength: 300 })
  if (element.appended === undefined) return entries
  const small = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 16_000 })))
  const { appended } = element
  return Arbitrary.all({ entries, extra: Arbitrary.schema(Schema.Boolean), first: small, second: small }).pipe(
    Arbitrary.map(({ entries, extra, first, second }) =>
      extra
        ? entries.map((entry, i) => ({
            ...entry,
            ...Object.fromEntries(appended.map((f, k) => [f.name, (k === 0 ? first : second) + i]))
          }))
        : entries
    )
  )
}

const maybe = (value: Arbitrary.Arbitrary<unknown>): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.all({ value, there: Arbitrary.schema(Schema.Boolean) }).pipe(
    Arbitrary.map(({ there, value }) => (there ? value : ABSENT))
  )

const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ABSENT))

/** Makes fields agree that depend on each other. */
const regular = (declaration: Declaration, generated: Fields): Fields => {
  const message: Fields = { _tag: declaration.tag, ...generated }
  for (const element of declaration.fields) {
    if (element.kind === "list") {
      const entries = message[element.name] as ReadonlyArray<unknown>
      message[element.count.name] = Math.min(entries.length, element.count.kind === "u8" ? 0xff : 0xffff)
      message["truncated"] = false
    } else if (element.kind === "bytes" && element.size !== "rest") {
      message[element.size.field] = fromHex(message[element.name] as string)!.length
    } else if (element.kind === "addresses") {
      message[element.end] = (message[element.name] as ReadonlyArray<string>).length % 2 === 0
    } else if (element.kind === "bits") {
      flag(element, message)
    } else if (element.kind === "group") {
      condition(element, message)
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
const condition = (element: Extract<Element, { kind: "group" }>, message: Fields): void => {
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
