import type { RulesReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { plain, displayWidth } from "../../src/output/text.ts"
import { rulesList } from "../../src/view/lists.ts"

const reply: RulesReply = {
  _tag: "RulesReply",
  announced: 30,
  rules: [
    ...Array.from({ length: 24 }, (_, i) => ({
      name: `rule_${String((i * 7) % 24).padStart(2, "0")}`,
      value: `v${i}`
    })),
    { name: "Rule_05", value: "again" },
    { name: "a_list", value: "word ".repeat(40).trim() },
    { name: "sv_contact", value: "https://sourcewire.example/about/this/server" },
    { name: "sv_tags", value: "" }
  ],
  truncated: false
}

describe("rulesList", () => {
  it.each([40, 60, 80, 120, 160])("contains every rule, sorted by name, in lines of at most %d columns", (width) => {
    const lines = rulesList(reply, { columns: width, palette: plain })
    const shown = lines.join(" ").match(/\b(?:rule_\d\d|a_list|sv_\w+)\b/gi)
    expect(shown).toEqual(shown?.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 0)))
    expect(shown).toHaveLength(reply.rules.length)
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width)
  })

  it("shows only the rules whose name or value contains a text", () => {
    const lines = rulesList(reply, { columns: 80, palette: plain }, "SOURCEWIRE")
    expect(lines).toEqual(["  sv_contact https://sourcewire.example/about/this/server"])
    expect(rulesList(reply, { columns: 80, palette: plain }, "nowhere")).toEqual(["  No rule contains this text."])
  })
})
