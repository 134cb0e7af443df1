import { expect, it } from "vitest"
import { Addresses } from "../../src/batched/addresses.ts"

it("an IPv4 address is converted to a number and back", () => {
  const addresses = new Addresses()
  for (const [text, number] of [
    ["0.0.0.0", 0],
    ["1.2.3.4", 0x01_02_03_04],
    ["255.255.255.255", 0xff_ff_ff_ff]
  ] as const) {
    expect(addresses.toNumber(text)).toBe(number)
    expect(addresses.toText(number)).toBe(text)
    expect(new Addresses().toText(number)).toBe(text)
  }
})

it("two addresses in the same slot of the cache are distinguished", () => {
  const addresses = new Addresses()
  expect(addresses.toNumber("10.0.0.1")).toBe(0x0a_00_00_01)
  expect(addresses.toText(0x0b_00_00_01)).toBe("11.0.0.1")
  expect(addresses.toText(0x0a_00_00_01)).toBe("10.0.0.1")
})

it.each([
  "",
  "::1",
  "localhost",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.256",
  "256.2.3.4",
  "1.300.3.4",
  "1..3.4",
  "1.2.3.",
  "1.2.3.4 "
])("%j is not an IPv4 address", (text) => {
  expect(new Addresses().toNumber(text)).toBe(-1)
})
