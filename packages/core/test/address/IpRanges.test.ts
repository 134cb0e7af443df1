/** Ranges of IP addresses: parsing, size, and the addresses in a range. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as IpRanges from "../../src/address/IpRanges.ts"

const range = (text: string) => Result.getOrThrow(IpRanges.parse(text))

describe("ranges of IP addresses", () => {
  it.each([
    ["192.0.2.0/24", "192.0.2.255", true],
    ["192.0.2.0/24", "192.0.3.0", false],
    ["192.0.2.0/24", "::ffff:192.0.2.9", true],
    ["192.0.2.0/24", "::ffff:198.51.100.9", false],
    ["::ffff:0:0/96", "::ffff:192.0.2.9", true],
    ["2001:db8::/32", "2001:DB8:0:0:0:0:0:1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["192.0.2.0/24", "example.org", false],
    ["192.0.2.0/24", "", false]
  ])('contains("%s", "%s") is %s', (text, address, isInside) => {
    expect(IpRanges.contains(range(text), address)).toBe(isInside)
  })

  it("`size` returns the number of addresses in the range", () => {
    expect(IpRanges.size(range("192.0.2.0/24"))).toBe(256n)
    expect(IpRanges.size(range("192.0.2.1/32"))).toBe(1n)
    expect(IpRanges.size(range("2001:db8::/32"))).toBe(2n ** 96n)
  })

  it("`size` and `contains` throw, and `isRange` returns false, if the value cannot be a result of `parse`", () => {
    const invalid = { family: 4, first: 1n, prefix: 33 } as never
    expect(() => IpRanges.size(invalid)).toThrow("range must be a range, as returned by parse")
    expect(() => IpRanges.contains(invalid, "192.0.2.1")).toThrow("range must be a range, as returned by parse")
    for (const value of [
      undefined,
      null,
      "192.0.2.0/24",
      { family: 5, first: 0n, prefix: 0 },
      { family: 4, first: 1, prefix: 8 }
    ]) {
      expect(IpRanges.isRange(value)).toBe(false)
    }
    expect(IpRanges.isRange(range("192.0.2.0/24"))).toBe(true)
  })
})

describe("network", () => {
  it.each([
    ["192.0.2.1", 64, "192.0.2.1"],
    ["::ffff:192.0.2.1", 48, "192.0.2.1"]
  ] as const)("returns the complete IPv4 address for %s", (address, bits, expected) => {
    expect(IpRanges.network(address, bits)).toBe(expected)
  })

  it("returns the same network for all IPv6 addresses with the same first 48 or 64 bits", () => {
    const network = (address: string, bits: 48 | 64) => IpRanges.network(address, bits)
    expect(network("2001:db8:1:2:3:4:5:6", 64)).toBe(network("2001:0DB8:1:2::9", 64))
    expect(network("2001:db8:1:2::1", 64)).not.toBe(network("2001:db8:1:3::1", 64))
    expect(network("2001:db8:1:2::1", 48)).toBe(network("2001:db8:1:3::1", 48))
    expect(network("2001:db8:1::1", 48)).not.toBe(network("2001:db8:2::1", 48))
  })

  it("throws an error if the address is not a string, or if the number of bits is neither 48 nor 64", () => {
    expect(() => IpRanges.network(7 as never, 64)).toThrow("address must be a text")
    for (const bits of [0, 47, 56, 128, "64"]) {
      expect(() => IpRanges.network("2001:db8::1", bits as never)).toThrow("bits must be 48 or 64")
    }
  })
})
