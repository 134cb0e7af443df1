import { expect, it } from "vitest"
import { routeKey } from "../../src/internal/ip.ts"

it("tells every sender from every other", () => {
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
