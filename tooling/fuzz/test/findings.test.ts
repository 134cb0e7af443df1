/** Checks that all findings of past campaigns are fixed, and that every target accepts its seeds. */
import { describe, expect, it } from "vitest"
import { parseInput, readFindings } from "../src/findings.ts"
import { targets } from "../src/targets/index.ts"

describe("findings", () => {
  it.each(readFindings().map((finding) => [finding.file, finding] as const))(
    "%s causes no failure",
    async (_, finding) => {
      const target = targets.find(({ name }) => name === finding.target)
      expect(target).toBeDefined()
      await target!.run(parseInput(finding))
    }
  )
})

describe("targets", () => {
  it.each(targets.map((target) => [target.name, target] as const))("%s accepts all its seeds", async (_, target) => {
    for (const input of target.seeds()) {
      expect(input.length).toBeGreaterThan(0)
      await target.run(input)
    }
  })

  it("have different names", () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  })
})
