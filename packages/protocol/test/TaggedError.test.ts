import { describe, expect, it } from "vitest"
import { Malformed } from "../src/index.ts"
import { TaggedError } from "../src/TaggedError.ts"

class Broken extends TaggedError("Broken")<{
  readonly message: string
  readonly cause?: unknown
  readonly part: string
}> {}

describe("an error with a tag", () => {
  const cause = new Error("dropped")
  const broken = new Broken({ message: "It broke.", part: "leg", cause })

  it("is an instance of Error, and contains its fields", () => {
    expect(broken).toBeInstanceOf(Broken)
    expect(broken).toBeInstanceOf(Error)
    expect(broken).not.toBeInstanceOf(Malformed)
    expect(broken).toMatchObject({ _tag: "Broken", name: "Broken", message: "It broke.", part: "leg", cause })
    expect(String(broken)).toBe("Broken: It broke.")
  })

  it("can be created with the fields of another error, and does not adopt the tag of this other error", () => {
    const other = new Malformed({ message: "Bad.", messageTag: "InfoReply", field: "name", offset: 5, hex: "" })
    expect({ ...new Broken({ ...other, message: other.message, part: "arm" }) }).toMatchObject({
      _tag: "Broken",
      field: "name"
    })
  })

  it("is serialized with its tag, message and fields, and without a stack", () => {
    expect(JSON.parse(JSON.stringify(new Broken({ message: "It broke.", part: "leg" })))).toEqual({
      _tag: "Broken",
      message: "It broke.",
      part: "leg"
    })
  })
})
