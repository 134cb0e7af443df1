import { describe, expect, it } from "vitest"
import { count, reasonFor, type Report, survivors } from "../src/survivors.ts"

const at = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, column: from },
  end: { line: endLine, column: to }
})

const report: Report = {
  files: {
    "b.ts": {
      source: "const a = 1\n  if (a < 2 && b) {\n    go()\n  }\n",
      mutants: [
        { mutatorName: "BlockStatement", replacement: "{}", status: "NoCoverage", location: at(2, 19, 4, 4) },
        { mutatorName: "EqualityOperator", replacement: "a <= 2", status: "Survived", location: at(2, 7, 12) },
        { mutatorName: "EqualityOperator", replacement: "a >= 2", status: "Killed", location: at(2, 7, 12) },
        { mutatorName: "ConditionalExpression", replacement: "true", status: "Timeout", location: at(2, 7, 17) },
        { mutatorName: "BooleanLiteral", replacement: "true", status: "Ignored", location: at(1, 1, 2) },
        { mutatorName: "BooleanLiteral", replacement: "true", status: "RuntimeError", location: at(1, 1, 2) }
      ]
    },
    "a.ts": {
      source: "f()",
      mutants: [{ mutatorName: "Call", replacement: "", status: "Survived", location: at(1, 1, 4) }]
    }
  }
}

describe("a report", () => {
  it("counts what was noticed, by a failure or by a test that no longer ends", () => {
    expect(count(report)).toEqual({ noticed: 2, unnoticed: 3, ignored: 1, score: 40 })
  })

  it("tells what went unnoticed, in order, with what stood there", () => {
    const line = "if (a < 2 && b) {"
    expect(survivors(report)).toEqual([
      { file: "a.ts", line: 1, code: "f()", from: "f()", to: "" },
      { file: "b.ts", line: 2, code: line, from: "{ go() }", to: "{}" },
      { file: "b.ts", line: 2, code: line, from: "a < 2", to: "a <= 2" }
    ])
  })

  it("finds the first reason that fits the place and, where they are given, the texts", () => {
    const [other, , changed] = survivors(report)
    const vague = { file: "b.ts", code: "a < 2", why: "vague" }
    const exact = { ...vague, from: "a < 2", to: "a <= 2", why: "exact" }
    expect(reasonFor(changed!, [{ ...exact, to: "a > 2" }, { ...exact, from: "a" }, exact, vague])).toBe(exact)
    expect(reasonFor(changed!, [{ ...vague, code: "b < 2" }])).toBeUndefined()
    expect(reasonFor(other!, [vague])).toBeUndefined()
  })
})
