import { expect, it } from "vitest"
import { inColumns } from "../../src/output/table.ts"
import { plain } from "../../src/output/colours.ts"

const pairs = (...texts: ReadonlyArray<string>) =>
  texts.map((text) => ({ name: text.slice(0, text.indexOf("=")), value: text.slice(text.indexOf("=") + 1) }))

const draw = (width: number, ...texts: ReadonlyArray<string>) =>
  inColumns(pairs(...texts), { width, palette: plain, indent: "  " })

it("fills the width with columns that read downwards", () => {
  expect(draw(40, "a=1", "bb=22", "ccc=333", "d=4", "e=5")).toEqual(["  a   1   ccc 333   e 5", "  bb 22   d     4"])
})

it("uses one column where there is no room for two", () => {
  expect(draw(14, "sv_gravity=8", "sv_alltalk=0")).toEqual(["  sv_gravity 8", "  sv_alltalk 0"])
})

it("puts what is too long last, wrapped and whole", () => {
  const many = Array.from({ length: 8 }, (_, i) => `rule_${i}=${i}`)
  expect(draw(30, ...many, "motd=welcome to the server of all servers")).toEqual([
    "  rule_0 0   rule_4 4",
    "  rule_1 1   rule_5 5",
    "  rule_2 2   rule_6 6",
    "  rule_3 3   rule_7 7",
    "  motd welcome to the server",
    "    of all servers"
  ])
})

it("draws nothing for nothing", () => {
  expect(draw(80)).toEqual([])
})
