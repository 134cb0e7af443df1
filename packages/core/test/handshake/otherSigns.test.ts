import { connectionless } from "@sourcewire/protocol/wire"
import { describe, expect, it } from "vitest"
import { findSign, formatHint, PROBES, type Sign } from "../../src/handshake/otherSigns.ts"

describe("findSign", () => {
  it.each<readonly [text: string, sign: Sign | undefined]>([
    ["I\x11name", "A2S_INFO"],
    ["m127.0.0.1", "A2S_INFO"],
    ["A\x01\x02\x03\x04", "A2S_INFO"],
    ["challenge 1 2", "challenge"],
    ["infostringresponse\n\\a\\b", "infostring"],
    ["j\0", "ping"],
    ["ack", "ping"],
    ["A\x01\x02", undefined],
    ["x challenge", undefined],
    ["x infostringresponse", undefined],
    ["x", undefined],
    ["", undefined]
  ])("for the reply %j, returns %s", (text, sign) => {
    expect(findSign(connectionless(text))).toBe(sign)
  })

  it("returns undefined for a reply that does not begin with the header FF FF FF FF", () => {
    expect(findSign(Uint8Array.from("challenge", (c) => c.charCodeAt(0)))).toBeUndefined()
  })
})

describe("formatHint", () => {
  it.each<readonly [signs: ReadonlyArray<Sign>, hint: string]>([
    [
      ["A2S_INFO"],
      "The server replies to queries (A2S_INFO), but not to this handshake, which not every engine supports."
    ],
    [["infostring", "ping"], "The server replies to queries (infostring), but not to this handshake"],
    [["infostring", "A2S_INFO"], "(A2S_INFO)"],
    [["A2S_INFO", "challenge"], "which not every engine supports. It has its own handshake, as Xash3D and Quake do."],
    [
      ["challenge"],
      "The server is up, but replies neither to this handshake nor to A2S_INFO. It has its own handshake, as Xash3D and Quake do."
    ],
    [["ping"], "The server replies to a ping, but neither to this handshake nor to A2S_INFO."]
  ])("for the signs %j, returns a hint that contains: %s", (signs, hint) => {
    expect(formatHint(new Set(signs))).toContain(hint)
  })

  it("does not mention the server's own handshake if the signs do not include `challenge`", () => {
    expect(formatHint(new Set(["A2S_INFO"]))).not.toContain("own handshake")
    expect(formatHint(new Set(["ping"]))).not.toContain("own handshake")
  })
})

it("the probes are sorted by time, are sent in the second half of the time limit, and include INFO twice", () => {
  const times = PROBES.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThan(0.5)
  expect(times.at(-1)).toBeLessThan(1)
  const [info] = PROBES
  expect(PROBES.filter(({ packet }) => packet === info!.packet)).toHaveLength(2)
})
