/**
 * Schemas of errors, for `schemas.ts`. A schema encodes an error to a plain object with the tag, the message and the fields of the error.
 * The schema also decodes such an object to an instance of the error class.
 */
import { EncodeError, Malformed } from "@sourcewire/protocol"
import { ChecksumMismatch, InvalidOption, LimitExceeded } from "@sourcewire/protocol/wire"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { InvalidAddress } from "./address/Address.ts"
import { InvalidRange } from "./address/IpRanges.ts"
import type { ClientError } from "./client/ClientShape.ts"
import * as failures from "./engine/QueryError.ts"
import type { LogError } from "./log/LogStream.ts"
import { NoMaster } from "./master/Master.ts"
import type { MasterError } from "./master/Master.ts"
import { InvalidFilter } from "./master/MasterFilter.ts"
import type { RconConnectError } from "./rcon/Rcon.ts"
import type { RconError } from "./rcon/session.ts"
import type { ScanError } from "./scan/Scanner.ts"
import { Excluded, TargetsFailed } from "./scan/ScanResult.ts"

export const True = Schema.Literal(true)
export const Text = Schema.String
export const Count = Schema.Int

/**
 * Returns the given schema unchanged. TypeScript checks that every value of the schema has type `A`. If `A` is a union, TypeScript does not
 * detect that the schema lacks a member of the union.
 */
export const of = <A>(schema: Schema.Codec<A, unknown>): Schema.Codec<A, unknown> => schema

interface AsJson {
  readonly _tag: string
  readonly message: string
}

/** A schema for each field of an error, except the message. */
type FieldsOf<A> = { readonly [K in keyof Omit<A, "message">]-?: Schema.Codec<Exclude<A[K], undefined>> }

/** Returns the message of an error and, if the error has a cause, the cause. */
const shown = ({ cause, message }: Error) => (cause === undefined ? { message } : { message, cause })

/** Creates the schema of an error class. `fields` contains the schemas of the error's fields, except the tag and the message. */
const failure = <A extends { readonly message: string }, E extends Error & { readonly _tag: string }>(
  Class: new (fields: A) => E,
  tag: E["_tag"],
  fields: FieldsOf<A> & Schema.Struct.Fields
): Schema.Codec<E, AsJson> =>
  // The type assertions are needed, because TypeScript can derive neither the type of a struct with generic fields, nor the type of an
  // error without its methods.
  (Schema.Struct({ _tag: Schema.tag(tag), message: Text, ...fields }) as unknown as Schema.Codec<A, AsJson>).pipe(
    Schema.decodeTo(
      Schema.instanceOf(Class, { identifier: tag }),
      SchemaTransformation.transform({
        decode: (known: A): E => new Class(known),
        encode: (error: E): A => ({ ...error, ...shown(error), _tag: tag }) as unknown as A
      })
    )
  ) as Schema.Codec<E, AsJson>

/** The schemas of two fields: the address of the target (`address`), and whether the cause of the error is on this host (`local`). */
const address = Schema.optionalKey(Text)
const local = Schema.optionalKey(True)

const { AuthenticationFailed, ConnectionClosed, PortClosed, Refused, SendFailed } = failures
const { Timeout, TooManyChallenges, UnexpectedReply, Unresolved } = failures

/** The errors of a query to one server. */
const queryErrors = {
  AuthenticationFailed: failure(AuthenticationFailed, "AuthenticationFailed", {
    address,
    text: Schema.optionalKey(Text)
  }),
  ChecksumMismatch: failure(ChecksumMismatch, "ChecksumMismatch", {
    address,
    of: Schema.Literals(["crc32", "size"]),
    expected: Count,
    actual: Count
  }),
  ConnectionClosed: failure(ConnectionClosed, "ConnectionClosed", { address }),
  LimitExceeded: failure(LimitExceeded, "LimitExceeded", { address, limit: Text, max: Count }),
  Malformed: failure(Malformed, "Malformed", { address, messageTag: Text, field: Text, offset: Count, hex: Text }),
  PortClosed: failure(PortClosed, "PortClosed", { address }),
  Refused: failure(Refused, "Refused", { address, text: Text }),
  SendFailed: failure(SendFailed, "SendFailed", { address, local, code: Schema.optionalKey(Text) }),
  Timeout: failure(Timeout, "Timeout", {
    address,
    phase: Schema.Literals(["request", "challenge", "split", "connect", "authentication", "reply"]),
    sent: Count,
    received: Count,
    alive: Schema.optionalKey(True)
  }),
  TooManyChallenges: failure(TooManyChallenges, "TooManyChallenges", { address, rounds: Count }),
  UnexpectedReply: failure(UnexpectedReply, "UnexpectedReply", { address, type: Count }),
  Unresolved: failure(Unresolved, "Unresolved", { address, local, host: Text })
} satisfies { readonly [Tag in failures.QueryError["_tag"]]: unknown }

const byTag = {
  ...queryErrors,
  EncodeError: failure(EncodeError, "EncodeError", { messageTag: Text, field: Text }),
  Excluded: failure(Excluded, "Excluded", {}),
  InvalidAddress: failure(InvalidAddress, "InvalidAddress", { input: Text }),
  InvalidFilter: failure(InvalidFilter, "InvalidFilter", {}),
  InvalidOption: failure(InvalidOption, "InvalidOption", { option: Text }),
  InvalidRange: failure(InvalidRange, "InvalidRange", { input: Text }),
  NoMaster: failure(NoMaster, "NoMaster", {}),
  TargetsFailed: failure(TargetsFailed, "TargetsFailed", { cause: Schema.optionalKey(Schema.Defect()) })
}

const QueryError = of<failures.QueryError>(Schema.Union(Object.values(queryErrors)))
const ClientError = of<ClientError>(Schema.Union([QueryError, byTag.InvalidAddress, byTag.InvalidOption]))
const RconError = of<RconError>(Schema.Union([QueryError, byTag.InvalidOption, byTag.EncodeError]))

/** A schema for each error, by the `_tag` of the error, and a schema for each union of errors: `QueryError`, `ClientError` and so on. */
export const errors = {
  ...byTag,
  QueryError,
  ClientError,
  RconError,
  RconConnectError: of<RconConnectError>(Schema.Union([RconError, byTag.InvalidAddress])),
  LogError: of<LogError>(Schema.Union([byTag.InvalidAddress, byTag.InvalidOption, byTag.SendFailed, byTag.Unresolved])),
  MasterError: of<MasterError>(Schema.Union([ClientError, byTag.InvalidFilter, byTag.NoMaster])),
  ScanError: of<ScanError>(Schema.Union([byTag.InvalidOption, byTag.TargetsFailed]))
}
