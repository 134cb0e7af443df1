/** Checks that all findings of past campaigns are fixed, and that every target accepts its seeds. */
import { describe, expect, it } from "vitest"
import { parseInput, readFindings } from "../src/findings.ts"
import { targets } from "../src/targets/index.ts"

describe("a fixed finding", () => {
  it.each(readFindings().map((finding) => [finding.file, finding] as const))(
    "no longer causes a failure: %s",
    async (_, finding) => {
      const target = targets.find(({ name }) => name === finding.target)
      expect(target).toBeDefined()
      await target!.run(parseInput(finding))
    }
  )
})

describe("the targets", () => {
  it.each(targets.map((target) => [target.name, target] as const))("accept all their seeds: %s", async (_, target) => {
    for (const input of target.seeds()) {
      expect(input.length).toBeGreaterThan(0)
      await target.run(input)
    }
  })

  it("have different names", () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  })
})
