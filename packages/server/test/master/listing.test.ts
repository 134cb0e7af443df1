import { assert, describe, it } from "@effect/vitest"
import { parseKey } from "../../src/master/listing.ts"

describe("parseKey", () => {
  it.each([
    ["10.200.30.40:27015", 0x0a_c8_1e_28_69_87],
    ["255.255.255.255:65535", 2 ** 48 - 1],
    ["0.0.0.1:0", 65_536],
    ["0.0.0.0:0", 0]
  ])("encodes the address and the port of %s in one number", (address, key) => {
    assert.strictEqual(parseKey(address), key)
  })

  it.each(["", "192.0.2.1", "x192.0.2.1:1", "192.0.2.1:1x", "192.0.2.1:123456", "256.0.0.1:1", "192.0.2.1:65536"])(
    "rejects %j",
    (address) => {
      assert.isUndefined(parseKey(address))
    }
  )
})
