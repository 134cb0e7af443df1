import { assert, describe, it } from "@effect/vitest"
import { readRequest, requestsChallenge, readChallenge, withChallenge } from "../../src/query/request.ts"

const request = (text: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xff${text}`, (char) => char.charCodeAt(0))
const INFO = "TSource Engine Query"

describe("readRequest", () => {
  it.each([
    [INFO, "info"],
    [`${INFO}\0`, "info"],
    [`${INFO}\0padding`, "info"],
    ["T", "info"],
    ["TSource Engine Quer", undefined],
    ["Tsource Engine Query\0", undefined],
    ["U", "players"],
    ["V", "rules"],
    ["W", "getChallenge"],
    ["i", "ping"],
    ["i\0", "ping"],
    ["i\n", "ping"],
    ["i ", "ping"],
    ["ix", { word: "ix", text: "ix" }],
    ["details\n", { word: "details", text: "details" }],
    ["details\0padding", { word: "details", text: "details" }],
    ["info 49  ", { word: "info", text: "info 49" }],
    ["x".repeat(24), { word: "x".repeat(24), text: "x".repeat(24) }],
    ["x".repeat(25), undefined],
    ["info and more than is compared", { word: "info", text: "info and more than is com" }],
    ["", undefined],
    [" info", undefined],
    ["\0", undefined]
  ])("reads the request %j as the query %j", (text, expected) => {
    assert.deepStrictEqual(readRequest(request(text)), expected)
  })

  it("returns undefined if the header is missing", () => {
    assert.isUndefined(readRequest(Uint8Array.of(0x54)))
    assert.isUndefined(readRequest(request(INFO).fill(0, 0, 1)))
  })
})

describe("the challenge of a request", () => {
  it.each([
    ["\x01\x02\x83\x84", 0x84_83_02_01 | 0, false],
    ["\xff\xff\xff\x7f and more", 0x7f_ff_ff_ff, false],
    ["\xff\xff\xff\xff", undefined, true],
    ["\0\0\0\0", undefined, false],
    ["\x01\x02\x03", undefined, false],
    ["\xff\xff\xff", undefined, false],
    ["", undefined, false]
  ])(
    "if the bytes after the query are %j, the challenge is %j (the bytes request a new challenge: %j)",
    (bytes, challenge, isRequested) => {
      for (const [start, kind] of [
        ["U", "players"],
        ["V", "rules"],
        [`${INFO}\0`, "info"]
      ] as const) {
        const datagram = request(start + bytes)
        assert.strictEqual(readChallenge(datagram, kind), challenge)
        assert.strictEqual(requestsChallenge(datagram, kind), isRequested)
      }
    }
  )

  it("is replaced in a copy of the request, or is appended to the copy if the request contains no challenge", () => {
    const asking = request("U\xff\xff\xff\xffrest")
    assert.deepStrictEqual(withChallenge(asking, "players", 0x04_03_02_01), request("U\x01\x02\x03\x04rest"))
    assert.deepStrictEqual(asking, request("U\xff\xff\xff\xffrest"))
    assert.deepStrictEqual(withChallenge(request("V"), "rules", -2), request("V\xfe\xff\xff\xff"))
    assert.deepStrictEqual(withChallenge(request(`${INFO}\0`), "info", 1), request(`${INFO}\0\x01\0\0\0`))
  })
})
