import { assert, describe, it } from "@effect/vitest"
import { EncodeError, Malformed } from "@sourcewire/protocol"
import * as protocol from "@sourcewire/protocol/wire"
import * as Schema from "effect/Schema"
import * as address from "../src/address.ts"
import * as engine from "../src/engine.ts"
import * as core from "../src/index.ts"
import * as log from "../src/log.ts"
import * as master from "../src/master.ts"
import * as query from "../src/query.ts"
import * as scans from "../src/scan.ts"
import { errors } from "../src/schemas.ts"

/** Encodes the value as JSON and decodes it again. */
const sendAsJson = <A>(schema: Schema.Codec<A, unknown>, value: A): A => {
  const codec = Schema.toCodecJson(schema)
  return Schema.decodeUnknownSync(codec)(JSON.parse(JSON.stringify(Schema.encodeSync(codec)(value))))
}

const text = "a"
/** An instance of each error class, with all optional fields. */
const instances = {
  AuthenticationFailed: new core.AuthenticationFailed({ message: text, address: text, text }),
  ChecksumMismatch: new protocol.ChecksumMismatch({ message: text, of: "crc32", expected: 1, actual: 2 }),
  ConnectionClosed: new core.ConnectionClosed({ message: text, address: text }),
  EncodeError: new EncodeError({ message: text, messageTag: text, field: text }),
  Excluded: new scans.Excluded({ message: text }),
  InvalidAddress: new core.InvalidAddress({ message: text, input: text }),
  InvalidFilter: new master.InvalidFilter({ message: text }),
  InvalidOption: new core.InvalidOption({ message: text, option: text }),
  InvalidRange: new address.IpRanges.InvalidRange({ message: text, input: text }),
  LimitExceeded: new protocol.LimitExceeded({ message: text, limit: text, max: 1 }),
  Malformed: Object.assign(new Malformed({ message: text, messageTag: text, field: text, offset: 1, hex: "00" }), {
    address: text
  }),
  NoMaster: new master.NoMaster({ message: text }),
  PortClosed: new core.PortClosed({ message: text }),
  Refused: new core.Refused({ message: text, text }),
  SendFailed: new core.SendFailed({ message: text, local: true, code: text }),
  TargetsFailed: new scans.TargetsFailed({ message: text, cause: "why" }),
  Timeout: new core.Timeout({ message: text, address: text, phase: "split", sent: 1, received: 2, alive: true }),
  TooManyChallenges: new query.TooManyChallenges({ message: text, rounds: 1 }),
  UnexpectedReply: new query.UnexpectedReply({ message: text, type: 1 }),
  Unresolved: new core.Unresolved({ message: text, address: text, local: true, host: text })
}

describe("schemas of errors", () => {
  it("exist for every error class", () => {
    const modules: ReadonlyArray<object> = [
      core,
      address,
      engine,
      log,
      master,
      query,
      scans,
      address.IpRanges,
      master.MasterFilter,
      protocol
    ]
    const classes = modules.flatMap((module) =>
      Object.entries(module).filter(([, value]) => typeof value === "function" && value.prototype instanceof Error)
    )
    assert.includeMembers(
      Object.keys(errors),
      classes.map(([name]) => name)
    )
    assert.sameMembers(
      [...new Set(["EncodeError", "Malformed", ...classes.map(([name]) => name)])],
      Object.keys(instances)
    )
  })

  it.each(Object.entries(instances))("restore %s from JSON", (tag, error) => {
    const back: unknown = sendAsJson(errors[tag as keyof typeof errors] as Schema.Codec<unknown, unknown>, error)
    assert.strictEqual(Object.getPrototypeOf(back), Object.getPrototypeOf(error))
    assert.deepEqual({ ...(back as object) }, { ...error } as object)
    assert.deepEqual([(back as Error).message, (back as Error).cause], [error.message, error.cause])
  })

  it("accept only errors of their own classes, with all required fields", () => {
    assert.isFalse(Schema.is(errors.RconError)(instances.Excluded))
    assert.isTrue(Schema.is(errors.RconConnectError)(instances.InvalidAddress))
    assert.throws(() => Schema.decodeUnknownSync(errors.Timeout)({ _tag: "Timeout", message: "late" }))
  })
})
