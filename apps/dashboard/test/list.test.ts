import { describe, expect, it } from "vitest"
import { labelsIn, labelsText } from "../src/labels.ts"
import { addressesIn, inParts } from "../src/list/addresses.ts"

describe("addresses in a text", () => {
  it.each([
    ["lines", "192.0.2.1:27015\r\n\n 192.0.2.2:27015 # ours\n# 192.0.2.9\n192.0.2.1:27015"],
    ["words", "192.0.2.1:27015, 192.0.2.2:27015"],
    ["a JSON array", '\ufeff["192.0.2.1:27015", "192.0.2.2:27015"]'],
    ["JSON of a master server", '[{ "addr": "192.0.2.1:27015" }, { "address": "192.0.2.2:27015" }]'],
    ["JSON for Prometheus", '[{ "targets": ["192.0.2.1:27015", "192.0.2.2:27015"], "labels": {} }]']
  ])("are found in %s", (_, text) => {
    expect(addressesIn(text)).toEqual(["192.0.2.1:27015", "192.0.2.2:27015"])
  })

  it("may be IPv6 addresses in brackets", () => {
    expect(addressesIn("[2001:db8::1]:27015\n[2001:db8::2]:27015")).toEqual([
      "[2001:db8::1]:27015",
      "[2001:db8::2]:27015"
    ])
  })

  it("are divided into parts that fit into a request", () => {
    expect(inParts(["a", "b", "c"], 2)).toEqual([["a", "b"], ["c"]])
    expect(inParts(["x".repeat(2000), "y".repeat(2000)], 10).map((part) => part.length)).toEqual([1, 1])
    expect(inParts([], 2)).toEqual([])
  })
})

describe("labels", () => {
  it("are not changed by a conversion to text and back", () => {
    const labels = { region: "eu", tier: "a = b" }
    expect(labelsIn(labelsText(labels))).toEqual(labels)
    expect(labelsIn(" , x, y=, region = eu ")).toEqual({ region: "eu" })
  })
})
