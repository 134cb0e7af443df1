import { describe, expect, it } from "vitest"
import type { FactValue } from "../src/facts/declaration.ts"
import {
  anyText,
  count,
  flag,
  list,
  matching,
  means,
  modIds,
  modNames,
  notFlag,
  number,
  oneOf,
  text,
  unixTime,
  whole
} from "../src/facts/kinds.ts"

const kinds = {
  text,
  anyText,
  whole,
  count,
  number,
  flag,
  notFlag,
  unixTime,
  "means('pve')": means("pve"),
  "oneOf({ rak: 'RakNet' })": oneOf({ rak: "RakNet" }),
  "matching(/^[0-9a-f]{2}$/)": matching(/^[0-9a-f]{2}$/),
  "list(';')": list(";"),
  "modNames(';')": modNames(";"),
  "modIds(',')": modIds(",")
}

type Row = readonly [kind: keyof typeof kinds, raw: string, value: FactValue]

describe("a value of the kind", () => {
  it.each<Row>([
    ["text", "a b", "a b"],
    ["anyText", "", ""],
    ["whole", "0", 0],
    ["whole", "42", 42],
    ["whole", "-1", -1],
    ["whole", "123456789012345", 123_456_789_012_345],
    ["count", "0", 0],
    ["count", "123456789012345", 123_456_789_012_345],
    ["number", "12", 12],
    ["number", "-12.25", -12.25],
    ["flag", "TRUE", true],
    ["flag", "y", true],
    ["flag", "1", true],
    ["flag", "No", false],
    ["flag", "f", false],
    ["notFlag", "yes", false],
    ["notFlag", "0", true],
    ["unixTime", "1", "1970-01-01T00:00:01.000Z"],
    ["unixTime", "253402300799", "9999-12-31T23:59:59.000Z"],
    ["means('pve')", "", "pve"],
    ["oneOf({ rak: 'RakNet' })", "rak", "RakNet"],
    ["matching(/^[0-9a-f]{2}$/)", "0f", "0f"],
    ["list(';')", " a ;; b;c ; ", ["a", "b", "c"]],
    ["list(';')", "", []],
    ["modNames(';')", "x; y;", [{ name: "x" }, { name: "y" }]],
    ["modIds(',')", "12,12345678901234567890", [{ id: "12" }, { id: "12345678901234567890" }]]
  ])("%s is parsed from '%s' as %o", (kind, raw, value) => {
    expect(kinds[kind](raw)).toEqual(value)
  })

  it.each<readonly [kind: keyof typeof kinds, raw: string]>([
    ["text", ""],
    ["whole", ""],
    ["whole", "-"],
    ["whole", "1.5"],
    ["whole", "x1"],
    ["whole", "1x"],
    ["whole", "1234567890123456"],
    ["count", ""],
    ["count", "-1"],
    ["count", "x1"],
    ["count", "1x"],
    ["count", "1234567890123456"],
    ["number", ""],
    ["number", "1."],
    ["number", ".5"],
    ["number", "x1"],
    ["number", "1.5x"],
    ["number", "1x5"],
    ["number", "1e3"],
    ["flag", ""],
    ["flag", "yesterday"],
    ["flag", "not"],
    ["flag", "2"],
    ["notFlag", "maybe"],
    ["unixTime", "0"],
    ["unixTime", "-1"],
    ["unixTime", "x1"],
    ["unixTime", "1x"],
    ["unixTime", "253402300800"],
    ["unixTime", "0000000000001"],
    ["means('pve')", "x"],
    ["oneOf({ rak: 'RakNet' })", "sw"],
    ["oneOf({ rak: 'RakNet' })", "constructor"],
    ["matching(/^[0-9a-f]{2}$/)", "0f0"],
    ["modIds(',')", "12,x"],
    ["modIds(',')", "123456789012345678901"]
  ])("%s cannot be parsed from '%s'", (kind, raw) => {
    expect(kinds[kind](raw)).toBeUndefined()
  })
})
