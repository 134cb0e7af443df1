/** Schemas of messages, built from their declarations. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Codec } from "../Codec.ts"
import type { TextOptions } from "../Text.ts"
import { demandCodec, encodeAs } from "./interpret/byCodec.ts"
import { findDeclaration } from "../declarations/declarations.ts"
import {
  listProperties,
  listEntryProperties,
  listMessageProperties,
  type Property,
  type ValueElement
} from "../declarations/properties.ts"
import { isU64, MAX_U64 } from "./decimal.ts"
import { NUMBER_RANGES } from "./interpret/writer.ts"

/** Returns the schema of a message. */
export const toSchema = <A>(codec: Codec<A>): Schema.Codec<A> => {
  demandCodec(codec)
  const declaration = findDeclaration(codec.tag)!
  const fields: Fields = { _tag: Schema.tag(declaration.tag), ...toFields(listMessageProperties(declaration)) }
  for (const [name, max] of Object.entries(declaration.rule?.widens ?? {})) fields[name] = between({ min: 0, max })
  // The fields come from the declaration at run time. Therefore TypeScript cannot check that they are the fields of the message.
  return Schema.Struct(fields).annotate({
    identifier: declaration.tag,
    description: declaration.doc
  }) as unknown as Schema.Codec<A>
}

/** Converts a codec to a schema that decodes datagrams to messages, and encodes messages to datagrams. */
export const fromDatagram = <A>(codec: Codec<A>, options?: TextOptions): Schema.Codec<A, Uint8Array> =>
  Schema.Uint8Array.pipe(
    Schema.decodeTo(
      toSchema(codec),
      SchemaTransformation.transformEffect({
        decode: (datagram: Uint8Array) => toIssueEffect(codec.decode(datagram, options)),
        encode: (message: A) => toIssueEffect(encodeAs(codec as never, message as never, options))
      })
    )
  ) as Schema.Codec<A, Uint8Array>

const toIssueEffect = <A>(
  result: Result.Result<A, { readonly message: string }>
): Effect.Effect<A, SchemaIssue.Issue> =>
  Result.isSuccess(result)
    ? Effect.succeed(result.success)
    : Effect.fail(new SchemaIssue.InvalidValue({ message: result.failure.message }))

type Fields = Record<string, Schema.Top>

const U64 = Schema.String.check(
  Schema.makeFilter((value: string) => isU64(value) || `must be a decimal string from 0 to ${MAX_U64}`)
)
const Hex = Schema.String.check(Schema.isPattern(/^(?:[0-9a-f]{2})*$/))

/** The schema of whole numbers in an inclusive range. */
export const between = ({ max, min }: { readonly min: number; readonly max: number }): Schema.Codec<number> =>
  Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))

/** The schema of an element's value, regardless of whether the element is optional. */
export const valueSchema = (element: ValueElement): Schema.Top => {
  switch (element.kind) {
    case "text":
    case "quoted":
      return Schema.String
    case "flag":
      return Schema.Boolean
    case "code":
      return Schema.Union([Schema.Literals(Object.keys(element.names)), between(NUMBER_RANGES.u8)])
    case "u64":
      return U64
    case "f32":
      return Schema.Number
    case "word":
      return Schema.String.check(Schema.isPattern(/^[!-~]+$/))
    case "hexadecimal":
      return between(NUMBER_RANGES.i32)
    case "decimal":
      return element.as === "u64" ? U64 : element.as === "flag" ? Schema.Boolean : Schema.Int
    case "bytes":
      return Hex
    case "addresses":
      return Schema.Array(Schema.String.check(Schema.isPattern(/^\d{1,3}(\.\d{1,3}){3}:\d{1,5}$/)))
    case "group":
      return Schema.Struct(toFields(listProperties(element.fields)))
    case "list":
      return Schema.Array(Schema.Struct(toFields(listEntryProperties(element))))
    default:
      return between(element.range ?? NUMBER_RANGES[element.kind])
  }
}

const toFields = (properties: ReadonlyArray<Property>): Fields =>
  Object.fromEntries(
    properties.map(({ element, onlyTrue, optional }) => {
      const value = onlyTrue === true ? Schema.Literal(true) : valueSchema(element)
      const described = value.annotate({ description: element.doc })
      return [element.name, optional ? Schema.optionalKey(described) : described]
    })
  )
