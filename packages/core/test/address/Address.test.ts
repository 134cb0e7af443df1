import * as Result from "effect/Result"
import { assert, describe, expect, it } from "vitest"
import * as Address from "../../src/address/Address.ts"
import { canonicalAddress } from "../../src/address/ipv6.ts"

describe("parse", () => {
  it.each([
    ["example.org", { host: "example.org", port: 27015 }],
    ["Example.ORG:27016", { host: "example.org", port: 27016 }],
    [" 1.2.3.4 ", { host: "1.2.3.4", port: 27015, family: 4 }],
    ["1.2.3.4:65535", { host: "1.2.3.4", port: 65535, family: 4 }],
    ["localhost:1", { host: "localhost", port: 1 }],
    ["my_box-2.lan.:27015", { host: "my_box-2.lan.", port: 27015 }],
    ["spiel-süd.example", { host: "spiel-süd.example", port: 27015 }],
    ["::1", { host: "::1", port: 27015, family: 6 }],
    ["[::1]", { host: "::1", port: 27015, family: 6 }],
    ["[::1]:27016", { host: "::1", port: 27016, family: 6 }],
    ["2001:0DB8:0:0:1:0:0:1", { host: "2001:db8::1:0:0:1", port: 27015, family: 6 }],
    ["[::FFFF:1.2.3.4]:1", { host: "1.2.3.4", port: 1, family: 4 }],
    ["::ffff:102:304", { host: "1.2.3.4", port: 27015, family: 4 }],
    ["connect 192.0.2.7:27016; password secret", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["connect 192.0.2.7:27016;password secret", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["password secret; connect example.org", { host: "example.org", port: 27015 }],
    ["connect [::1]:27016", { host: "::1", port: 27016, family: 6 }],
    ["steam://run/440//+connect%20192.0.2.7:27016", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["steam://run/440//+connect 192.0.2.7:27016/", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["steam://run/730/en/+password%20x%20+connect%20192.0.2.7", { host: "192.0.2.7", port: 27015, family: 4 }],
    ["steam://rungameid/440//+connect+example.org:27016", { host: "example.org", port: 27016 }],
    ["steam://connect/192.0.2.7:27016", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["Steam://connect/[::1]:27016/secret", { host: "::1", port: 27016, family: 6 }],
    ["steam://connect/example.org/", { host: "example.org", port: 27015 }],
    ["[fe80::1%eth0]:27015", { host: "fe80::1%eth0", port: 27015 }],
    ["CONNECT 192.0.2.7:27016", { host: "192.0.2.7", port: 27016, family: 4 }],
    ["password a b;connect example.org", { host: "example.org", port: 27015 }],
    ["password a b;  connect example.org", { host: "example.org", port: 27015 }],
    ['connect "192.0.2.7:27016"', { host: "192.0.2.7", port: 27016, family: 4 }],
    ["steam://run/440//-novid +connect%20example.org", { host: "example.org", port: 27015 }]
  ])("reads %j", (text, address) => {
    expect(Address.parse(text)).toEqual(Result.succeed(address))
    expect(Address.parse(Address.format(address))).toEqual(Result.succeed(address))
  })

  it.each([
    "",
    " ",
    ":27015",
    "host:",
    "host:0",
    "host:65536",
    "host:1e3",
    "host:-1",
    "host: 1",
    "host:27015:1",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "-host",
    "host-.org",
    "a..b",
    "ho st",
    "http://host",
    "steam://connect/",
    "steam://run/240",
    "steam://connect/steam://connect/host",
    "[::1",
    "[::1]27015",
    "[::1]:",
    "[1.2.3.4]:1",
    "1::2::3",
    "12345::1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::1%",
    "connect ;",
    "please connect example.org",
    "password secret",
    "password secret connect example.org",
    "steam://run/440//+map%20de_dust2",
    "steam://run/x//+connect%20example.org",
    "x".repeat(64),
    `${"a.".repeat(127)}a`
  ])("rejects %j", (text) => {
    const result = Address.parse(text)
    expect(Result.isFailure(result) && result.failure).toMatchObject({ _tag: "InvalidAddress", input: text })
  })

  it.each([
    ["http://example.org:27015", "the scheme http:// is not supported"],
    ["https://example.org/servers", "the scheme https:// is not supported"],
    ["steam://run/240", "the link does not contain a server's address"]
  ])("explains why %s is not an address", (text, why) => {
    const result = Address.parse(text)
    expect(Result.isFailure(result) && result.failure.message).toContain(`is not an address: ${why}.`)
  })

  it.each([
    ["", 27_015, '"" is not an address: it is empty.'],
    ["connect ;", 27_015, "the host is neither a name nor a numeric address"],
    ["1::2::3", 27_015, "it is not a valid IPv6 address"],
    ["host:0", 27_015, "the port must be a number from 1 to 65535"],
    [5, 27_015, "it is not a text"],
    [["192.0.2.7"], 27_015, "it is not a text"],
    ["192.0.2.7", 65_536, "the default port must be a number from 0 to 65535"],
    ["host", 0.5, "the default port must be a number from 0 to 65535"],
    ["host", "27015", "the default port must be a number from 0 to 65535"]
  ])("rejects the arguments %j and %j, and explains why", (input, defaultPort, why) => {
    const result = Address.parse(input as string, defaultPort as number)
    expect(Result.isFailure(result) && result.failure.message).toContain(why)
  })

  it("uses the given default port if the text contains no port", () => {
    expect(Address.parse("host", 27005)).toEqual(Result.succeed({ host: "host", port: 27005 }))
  })
})

describe("from", () => {
  it("accepts a valid address object, and rejects an object with an invalid port", () => {
    expect(Address.from({ host: "::0", port: 1 })).toEqual(Result.succeed({ host: "::", port: 1, family: 6 }))
    for (const port of ["27015", Number.NaN, 0, 65_536, 1.5]) {
      expect(Result.isFailure(Address.from({ host: "host", port: port as number }))).toBe(true)
    }
  })
})

describe("`from` with a value that is not an address", () => {
  it.each<readonly [what: string, input: unknown, shown: string]>([
    ["a number", 5, "5"],
    ["undefined", undefined, "undefined"],
    ["an object without a host", { port: 1 }, "an object"],
    ["a port that is a string", { host: "a", port: "1" }, 'a:\\"1\\"']
  ])("rejects %s, and the error contains the value", (_, input, shown) => {
    const result = Address.from(input as string)
    assert(Result.isFailure(result))
    expect(result.failure.message).toContain(shown)
    expect(result.failure.message).toContain("it must be a text, or have a host that is a text and a port from 1 to")
  })

  it("rejects an object whose properties cannot be read", () => {
    const input = Object.defineProperty({}, "host", {
      get: () => {
        throw new Error("not readable")
      }
    })
    expect(Result.isFailure(Address.from(input as unknown as string))).toBe(true)
  })
})

describe("format", () => {
  it("throws an error if the host is not a string, or if the port is out of range", () => {
    expect(() => Address.format({ host: 1 as unknown as string, port: 1 })).toThrow("host must be a text, not 1.")
    expect(() => Address.format({ host: "a", port: 65_536 })).toThrow("port must be a number from 0 to 65535")
    expect(Address.format({ host: "a", port: 0 })).toBe("a:0")
  })
})

describe("canonicalAddress", () => {
  it("returns the canonical spelling of a numeric address, and undefined for a name", () => {
    expect(canonicalAddress("1.2.3.4")).toBe("1.2.3.4")
    expect(canonicalAddress("0:0:0:0:0:0:0:1")).toBe("::1")
    expect(canonicalAddress("1:0:0:2:0:0:0:3")).toBe("1:0:0:2::3")
    expect(canonicalAddress("1:0:2:3:4:5:6:7")).toBe("1:0:2:3:4:5:6:7")
    expect(canonicalAddress("::ffff:1.2.3.4")).toBe("1.2.3.4")
    expect(canonicalAddress("localhost")).toBeUndefined()
  })
})
