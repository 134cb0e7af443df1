import { describe, expect, it } from "vitest"
import { parseAddresses } from "../../src/decode/addresses.ts"

describe("a text on the first screen", () => {
  it.each([
    ["203.0.113.5:27015", ["203.0.113.5:27015"]],
    ["203.0.113.5", ["203.0.113.5"]],
    ["  play.example.org ", ["play.example.org"]],
    ["localhost", ["localhost"]],
    ["[2001:db8::1]:27015", ["[2001:db8::1]:27015"]],
    ["steam://connect/203.0.113.5:27015/", ["203.0.113.5:27015"]],
    ["connect 203.0.113.5:27015", ["203.0.113.5:27015"]],
    [
      "203.0.113.5:27015\n# mine\n203.0.113.6:27016, play.example.org",
      ["203.0.113.5:27015", "203.0.113.6:27016", "play.example.org"]
    ]
  ])("is read as addresses: %j", (text, addresses) => expect(parseAddresses(text)).toEqual(addresses))

  it.each([
    "",
    "ffffffff54536f75",
    "ff ff ff ff 41 4b a1 d5 22",
    "ff:ff:ff:ff:41:4b:a1:d5",
    "/////0FLodUi",
    "0xff, 0xff, 0xff, 0xff, 0x41",
    "hello",
    "300.1.1.1",
    "203.0.113.5:27015 and hello"
  ])("is not read as addresses: %j", (text) => expect(parseAddresses(text)).toEqual([]))
})
