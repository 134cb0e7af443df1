import { expect, it } from "vitest"
import { inColumns } from "../../src/output/table.ts"
import { plain } from "../../src/output/text.ts"

const pairs = (...texts: ReadonlyArray<string>) =>
  texts.map((text) => ({ name: text.slice(0, text.indexOf("=")), value: text.slice(text.indexOf("=") + 1) }))

const draw = (width: number, ...texts: ReadonlyArray<string>) =>
  inColumns(pairs(...texts), { columns: width, palette: plain }, "  ")

it("the entries of a list fill the width of the terminal, in order from left to right", () => {
  expect(draw(30, "a=1", "bb=22", "ccc=333", "d=4", "e=5")).toEqual([
    "  a     1   bb   22   ccc 333",
    "  d     4   e     5"
  ])
})

it("one column is used if there is no space for two columns", () => {
  expect(draw(14, "sv_gravity=8", "sv_alltalk=0")).toEqual(["  sv_gravity 8", "  sv_alltalk 0"])
})

it("a long entry uses several columns, and an entry that is longer than a line is wrapped", () => {
  const many = Array.from({ length: 14 }, (_, i) => `r${i % 10}=${i % 10}`)
  const lines = draw(
    26,
    ...many.slice(0, 4),
    "hostname=Z",
    ...many.slice(4),
    "motd=welcome to the server of all servers"
  )
  expect(lines.slice(0, 4)).toEqual([
    "  r0 0   r1 1   r2 2",
    "  r3 3   hostname  Z",
    "  r4 4   r5 5   r6 6",
    "  r7 7   r8 8   r9 9"
  ])
  expect(lines.slice(-3)).toEqual(["  r3 3", "  motd welcome to the", "    server of all servers"])
})

it("without entries, nothing is printed", () => {
  expect(draw(80)).toEqual([])
})
