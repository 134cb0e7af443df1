import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import {
  all,
  checked,
  demand,
  each,
  flag,
  list,
  number,
  oneOf,
  optional,
  part,
  shape,
  text,
  whole
} from "../src/Checks.ts"

const options = shape({
  name: text,
  port: optional(whole(0, 65_535)),
  rate: optional(number(1)),
  mode: optional(oneOf(["fast", "slow"])),
  hosts: optional(all(list, each(text))),
  nested: optional(shape({ deep: flag }))
})
const findProblem = (given: unknown) => {
  const found = checked(options, given)
  return Result.isFailure(found) ? [found.failure.option, found.failure.message] : undefined
}

describe("checked options", () => {
  it("are returned unchanged if they are valid", () => {
    const given = { name: "a", port: 1, rate: 2.5, mode: "fast", hosts: ["b"], nested: { deep: true } }
    expect(checked(options, given)).toEqual(Result.succeed(given))
    expect(findProblem({ name: "a" })).toBeUndefined()
  })

  it.each<[given: unknown, option: string, message: string]>([
    [{}, "name", "name must be a text, not undefined."],
    [{ name: "a", port: 1.5 }, "port", "port must be a whole number from 0 to 65535, not 1.5."],
    [{ name: "a", rate: 0 }, "rate", "rate must be a number of at least 1, not 0."],
    [{ name: "a", rate: Infinity }, "rate", "rate must be a number of at least 1, not Infinity."],
    [{ name: "a", mode: "both" }, "mode", 'mode must be one of fast, slow, not "both".'],
    [{ name: "a", hosts: "b" }, "hosts", 'hosts must be an array, not "b".'],
    [{ name: "a", hosts: ["b", 7] }, "hosts.1", "hosts.1 must be a text, not 7."],
    [{ name: "a", nested: { deep: 1 } }, "nested.deep", "nested.deep must be true or false, not 1."],
    [
      { name: "a", nested: { deep: true, deeper: 1 } },
      "nested.deeper",
      "There is no option nested.deeper. Did you mean nested.deep?"
    ],
    [{ name: "a", Port: 1 }, "Port", "There is no option Port. Did you mean port?"],
    [[], "options", "options must be an object, not an array."]
  ])("are rejected: %j", (given, option, message) => {
    expect(findProblem(given)).toEqual([option, message])
  })

  it("may have undeclared properties if the declaration uses `part` instead of `shape`", () => {
    expect(checked(part({ name: text }), { name: "a", other: 1 })).toMatchObject({ _tag: "Success" })
  })

  it("are rejected if a property throws an error when the property is read", () => {
    const given = {
      get name(): string {
        throw new Error("no")
      }
    }
    expect(findProblem(given)).toEqual(["options", "The options have a property that cannot be read."])
  })

  it("`demand` throws an exception if the value is invalid", () => {
    expect(() => demand(text, 7, "word")).toThrow("word must be a text, not 7.")
    expect(demand(text, "a", "word")).toBeUndefined()
  })
})
