/** An unknown option causes an error that suggests the name of a similar option. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { decode, dissect, encode, InfoReply } from "../src/index.ts"
import { InvalidOption, Reassembler, SourceRconFramer, splitDatagram, unknownOption } from "../src/WireFormat.ts"

const NAMES = ["timeoutMs", "retries", "encoding", "concurrency", "delayMs", "perHost"]

describe("unknownOption with a wrong name", () => {
  const suggestion = (wrong: string) =>
    /Did you mean (.*)\?$/.exec(unknownOption({ [wrong]: 1 }, NAMES)?.message ?? "")?.[1]

  it.each([
    ["timeout", "timeoutMs"],
    ["timeoutms", "timeoutMs"],
    ["timeout_ms", "timeoutMs"],
    ["timeoutMS", "timeoutMs"],
    ["concurency", "concurrency"],
    ["delay", "delayMs"],
    ["retry", "retries"],
    ["endcoding", "encoding"],
    ["perhost", "perHost"]
  ])("corrects %s to %s", (wrong, meant) => assert.strictEqual(suggestion(wrong), meant))

  it.each(["colour", "x", "limit", "via"])("suggests no correction for %s", (wrong) =>
    assert.isUndefined(suggestion(wrong))
  )
})

describe("unknownOption", () => {
  it("returns an error with the option, its path and the likely name", () => {
    const error = unknownOption({ delay: 1500 }, NAMES, "faults")
    assert.instanceOf(error, InvalidOption)
    assert.include(error, {
      message: "There is no option faults.delay. Did you mean faults.delayMs?",
      option: "faults.delay"
    })
  })

  it("lists all options if no option has a similar name", () => {
    assert.strictEqual(
      unknownOption({ colour: 1 }, ["retries", "encoding"])?.message,
      "There is no option colour. The options are: retries, encoding."
    )
  })

  it("accepts known options", () => assert.isUndefined(unknownOption({ retries: 1 }, NAMES)))
})

describe("an unknown option", () => {
  const ping = Uint8Array.of(255, 255, 255, 255, 0x6a, 0)
  const wrong = { encodng: "latin1" } as object
  const message = "There is no option encodng. The only option is encoding."

  it("causes an error that `decode`, `encode` and `dissect` return", () => {
    for (const result of [decode(ping, wrong), dissect(ping, wrong).result, InfoReply.decode(ping, wrong)]) {
      assert.deepInclude(Result.getOrThrow(Result.flip(result)), {
        _tag: "Malformed",
        field: "encodng",
        message
      } as never)
    }
    const encoded = encode({ _tag: "PingReply", payload: "" }, wrong)
    assert.deepInclude(Result.getOrThrow(Result.flip(encoded)), {
      _tag: "EncodeError",
      field: "encodng",
      message
    } as never)
  })

  it("causes an error that `splitDatagram`, `Reassembler` and `SourceRconFramer` throw", () => {
    const thrown = /^There is no option maxByte\. Did you mean maxBytes\?$/
    assert.throws(() => splitDatagram(ping, { layout: "source", id: 1, maxByte: 5 } as never), InvalidOption, thrown)
    assert.throws(() => new Reassembler({ reuse: true } as never), InvalidOption, /Did you mean reuseMemory\?/)
    assert.throws(() => new SourceRconFramer({ max: 5 } as never), InvalidOption, /Did you mean maxPacketBytes\?/)
  })
})
