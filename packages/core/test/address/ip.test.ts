import { expect, it } from "vitest"
import { routeKey } from "../../src/address/ip.ts"
import { addressNetwork } from "../../src/address/ipv6.ts"

it("routeKey returns different keys for senders with different addresses or ports", () => {
  const senders = [
    "0.0.0.0",
    "1.2.3.4",
    "12.3.4.0",
    "1.23.4.0",
    "255.255.255.255",
    "::1",
    "::ffff:1.2.3.4",
    "fe80::1%2"
  ]
  const keys = senders.flatMap((address) => [1, 2, 65_535].map((port) => routeKey(address, port)))
  expect(new Set(keys).size).toBe(keys.length)
  expect(typeof routeKey("255.255.255.255", 65_535)).toBe("number")
  expect(Number.isSafeInteger(routeKey("255.255.255.255", 65_535))).toBe(true)
})

it.each([
  ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64", "2001:db8:0::/48"],
  ["2001:db8::7:1:2:3:4", "2001:db8:0:7::/64", "2001:db8:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["no:address", "no:address", "no:address"]
])(
  "addressNetwork shortens an IPv6 address to 64 or 48 bits, but not an IPv4 address or an invalid address: %s",
  (address, host, network) => {
    expect([addressNetwork(address, 64), addressNetwork(address, 48)]).toEqual([host, network])
  }
)
