/** Findings of past campaigns are fixed, and every seed passes. */
import { describe, expect, it } from "vitest"
import { parseInput, readFindings } from "../src/findings.ts"
import { targets } from "../src/targets/index.ts"

describe("findings", () => {
  it.each(readFindings().map((finding) => [finding.file, finding] as const))("%s is fixed", async (_, finding) => {
    const target = targets.find(({ name }) => name === finding.target)
    expect(target).toBeDefined()
    await target!.run(parseInput(finding))
  })
})

describe("targets", () => {
  it.each(targets.map((target) => [target.name, target] as const))("%s accepts all seeds", async (_, target) => {
    for (const input of target.seeds()) {
      expect(input.length).toBeGreaterThan(0)
      await target.run(input)
    }
  })

  it("have different names", () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  })
})
