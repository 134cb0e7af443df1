import { describe, expect, it } from "vitest"
import { rulesRecord } from "../../src/query/rulesRecord.ts"

describe("rulesRecord", () => {
  it("returns the last value of each name, and supports the name `__proto__`", () => {
    const rules = [
      { name: "mp_timelimit", value: "20" },
      { name: "__proto__", value: "x" },
      { name: "mp_timelimit", value: "30" }
    ]
    const record = rulesRecord({ _tag: "RulesReply", announced: 3, truncated: false, rules })
    expect(Object.entries(record)).toEqual([
      ["mp_timelimit", "30"],
      ["__proto__", "x"]
    ])
  })
})
