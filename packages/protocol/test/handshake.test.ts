/**
 * Tests the handshakes of Source, CS:GO and GoldSource. We wrote the datagrams of `cases` by hand, field by field, and not with the
 * encoder. The order and the size of the fields are those of real datagrams.
 */
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decode, dissect, encode, fromHex, toHex } from "../src/index.ts"

const parseHex = (hex: string): Uint8Array => fromHex(hex.replaceAll(/\s/g, ""))!
const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")

const HEADER = "ff ff ff ff"
const STEAM_ID = "89 67 45 23 01 00 40 01"
const STEAM_ID_TEXT = "90071997434128265"

/** Each case consists of a name, a datagram in hex, and the message of the datagram. */
const cases: ReadonlyArray<readonly [name: string, hex: string, message: object]> = [
  [
    "Source 2013: the request",
    `${HEADER} 71 78 56 34 12 ${ascii("0000000000\0")}`,
    { _tag: "HandshakeRequest", challenge: 0x12345678, payload: "0000000000" }
  ],
  [
    "Source 2013: a challenge with authentication 2, which ends at byte 21",
    `${HEADER} 41 33 49 4f 5a d2 02 96 49 78 56 34 12 02 00 00 00`,
    { _tag: "HandshakeChallenge", serverChallenge: 1234567890, clientChallenge: 0x12345678, authProtocol: 2 }
  ],
  [
    "Source 2013: a challenge with authentication 3 and padding",
    `${HEADER} 41 33 49 4f 5a d2 02 96 49 78 56 34 12 03 00 00 00 00 00 ${STEAM_ID} 01 ${ascii("000000\0")}`,
    {
      _tag: "HandshakeChallenge",
      serverChallenge: 1234567890,
      clientChallenge: 0x12345678,
      authProtocol: 3,
      encryptionKeySize: 0,
      encryptionKey: "",
      steamId: STEAM_ID_TEXT,
      vac: true,
      rest: "30303030303000"
    }
  ],
  [
    "Source 2013: a challenge with a key and without padding",
    `${HEADER} 41 33 49 4f 5a ff ff ff ff 00 00 00 80 03 00 00 00 02 00 ab cd ${STEAM_ID} 00`,
    {
      _tag: "HandshakeChallenge",
      serverChallenge: -1,
      clientChallenge: -(2 ** 31),
      authProtocol: 3,
      encryptionKeySize: 2,
      encryptionKey: "abcd",
      steamId: STEAM_ID_TEXT,
      vac: false,
      rest: ""
    }
  ],
  [
    "Source 2013: a request to join with a hashed key",
    `${HEADER} 6b 18 00 00 00 02 00 00 00 d2 02 96 49 78 56 34 12 ${ascii("Zo\xc3\xab\0pw\x009543365\0cafe\0")}`,
    {
      _tag: "ConnectRequest",
      protocolVersion: 24,
      authProtocol: 2,
      serverChallenge: 1234567890,
      clientChallenge: 0x12345678,
      name: "Zoë",
      password: "pw",
      version: "9543365",
      hashedKey: "cafe"
    }
  ],
  [
    "Source 2013: a request to join with a Steam ticket",
    `${HEADER} 6b 18 00 00 00 03 00 00 00 d2 02 96 49 78 56 34 12 ${ascii("me\0\x009543365\0")} 04 00 de ad be ef`,
    {
      _tag: "ConnectRequest",
      protocolVersion: 24,
      authProtocol: 3,
      serverChallenge: 1234567890,
      clientChallenge: 0x12345678,
      name: "me",
      password: "",
      version: "9543365",
      ticketSize: 4,
      ticket: "deadbeef"
    }
  ],
  [
    "Source 2013: accepted",
    `${HEADER} 42 78 56 34 12 ${ascii("0000000000\0")}`,
    { _tag: "ConnectionAccepted", clientChallenge: 0x12345678, text: "0000000000" }
  ],
  [
    "Source 2013: rejected, with the client's number first",
    `${HEADER} 39 78 56 34 12 ${ascii("#GameUI_ServerRejectBadChallenge\0")}`,
    { _tag: "ConnectionRejected", clientChallenge: 0x12345678, text: "#GameUI_ServerRejectBadChallenge" }
  ],
  [
    "Source 2013: rejected, with a number that looks like text",
    `${HEADER} 39 ${ascii("abcd")} ${ascii("#GameUI_ServerRejectOldVersion\0")}`,
    { _tag: "ConnectionRejected", clientChallenge: 0x64636261, text: "#GameUI_ServerRejectOldVersion" }
  ],
  [
    "Source 2013: rejected with the server's own text",
    `${HEADER} 39 00 00 00 00 ${ascii("Go away, \xd0\xb4\xd1\x80\xd1\x83\xd0\xb3\n\0")}`,
    { _tag: "ConnectionRejected", clientChallenge: 0, text: "Go away, друг\n" }
  ],
  [
    "CS:GO: the first request",
    `${HEADER} 71 ${ascii("connect0x00000000\0")}`,
    { _tag: "CsgoHandshakeRequest", challenge: 0 }
  ],
  [
    "CS:GO: a request with the last challenge",
    `${HEADER} 71 ${ascii("connect0xDEADBEEF\0")}`,
    { _tag: "CsgoHandshakeRequest", challenge: 0xdeadbeef | 0 }
  ],
  [
    "CS:GO: connect-retry of a server with lobbies",
    `${HEADER} 41 05 f8 e7 0d 03 00 00 00 00 00 ${STEAM_ID} 00 ${ascii("connect-retry\0")} be 35 00 00 ${ascii("public\0")} 01 ff ff ff ff ff ff ff ff 00 00 00`,
    {
      _tag: "CsgoHandshakeChallenge",
      challenge: 233306117,
      authProtocol: 3,
      encryption: 0,
      steamId: STEAM_ID_TEXT,
      vac: false,
      context: "connect-retry",
      hostVersion: 13758,
      lobbyType: "public",
      passwordRequired: true,
      lobbyId: "18446744073709551615",
      friendsRequired: false,
      valveServer: false,
      certificateRequired: false
    }
  ],
  [
    "CS:GO: a challenge with a certificate's key and signature",
    `${HEADER} 41 05 f8 e7 0d 03 00 00 00 00 00 ${STEAM_ID} 01 ${ascii("connect-lan-only\0")} be 35 00 00 00 00 00 00 00 00 00 00 00 00 01 01 01 02 00 00 00 aa bb 03 00 00 00 cc dd ee`,
    {
      _tag: "CsgoHandshakeChallenge",
      challenge: 233306117,
      authProtocol: 3,
      encryption: 0,
      steamId: STEAM_ID_TEXT,
      vac: true,
      context: "connect-lan-only",
      hostVersion: 13758,
      lobbyType: "",
      passwordRequired: false,
      lobbyId: "0",
      friendsRequired: true,
      valveServer: true,
      certificateRequired: true,
      publicKeySize: 2,
      publicKey: "aabb",
      signatureSize: 3,
      signature: "ccddee"
    }
  ],
  [
    "CS:GO: a request to join",
    `${HEADER} 6b be 35 00 00 03 00 00 00 05 f8 e7 0d ${ascii("\0pw\0")} 01 12 34`,
    {
      _tag: "CsgoConnectRequest",
      hostVersion: 13758,
      authProtocol: 3,
      challenge: 233306117,
      name: "",
      password: "pw",
      players: 1,
      rest: "1234"
    }
  ],
  [
    "CS:GO: accepted, in a layout that is not documented",
    `${HEADER} 42 2e 01 02`,
    { _tag: "ConnectionAccepted", payload: "2e0102" }
  ],
  [
    "CS:GO: a redirect",
    `${HEADER} 39 ${ascii("ConnectRedirectAddress:192.0.2.7:27016\0")}`,
    { _tag: "ConnectionRejected", text: "ConnectRedirectAddress:192.0.2.7:27016" }
  ],
  [
    "CS:GO: a reason by name, without a number",
    `${HEADER} 39 ${ascii("#GameUI_ServerRejectBadChallenge\0")}`,
    { _tag: "ConnectionRejected", text: "#GameUI_ServerRejectBadChallenge" }
  ],
  [
    "a reason that does not begin in ASCII",
    `${HEADER} 39 ${ascii("\xd0\x94\xd1\x80\xd1\x83\xd0\xb3\0")}`,
    { _tag: "ConnectionRejected", text: "Друг" }
  ],
  ["a reason of three letters", `${HEADER} 39 ${ascii("bye\0")}`, { _tag: "ConnectionRejected", text: "bye" }],
  [
    "GoldSource: the request",
    `${HEADER} ${ascii("getchallenge steam\n\0")}`,
    { _tag: "GoldSourceHandshakeRequest", argument: "steam" }
  ],
  [
    "GoldSource: a request without Steam",
    `${HEADER} ${ascii("getchallenge\n\0")}`,
    { _tag: "GoldSourceHandshakeRequest" }
  ],
  [
    "GoldSource: a challenge with authentication 2",
    `${HEADER} ${ascii("A00000000 327160704 2\n\0")}`,
    { _tag: "GoldSourceHandshakeChallenge", serverChallenge: 327160704, authProtocol: 2 }
  ],
  [
    "GoldSource: a challenge with authentication 3",
    `${HEADER} ${ascii("A00000000 4294967295 3 90071997434128265 1\n\0")}`,
    {
      _tag: "GoldSourceHandshakeChallenge",
      serverChallenge: 4294967295,
      authProtocol: 3,
      steamId: STEAM_ID_TEXT,
      vac: true
    }
  ],
  ["the challenge of queries", `${HEADER} 41 33 49 4f 5a`, { _tag: "ChallengeReply", challenge: 0x5a4f4933 }]
]

describe("the handshake, byte by byte", () => {
  it.each(cases)("is decoded, encoded and dissected: %s", (_, hex, message) => {
    const bytes = parseHex(hex)
    expect(Result.getOrThrow(decode(bytes))).toEqual(message)
    expect(toHex(Result.getOrThrow(encode(message as never)))).toBe(toHex(bytes))
    const { fields, result } = dissect(bytes)
    expect(Result.getOrThrow(result)).toEqual(message)
    expect(fields.reduce((end, { length, offset }) => (offset === end ? offset + length : -1), 0)).toBe(bytes.length)
    expect(fields.some(({ path }) => path === "unread")).toBe(false)
  })

  it("the reply of a CS:GO server has 59 bytes, and the reply of an older CS:GO server lacks the last byte", () => {
    const hex = `${HEADER} 41 05 f8 e7 0d 03 00 00 00 00 00 ${STEAM_ID} 01 ${ascii("connect0x0DE7F805\0")} be 35 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00`
    expect(parseHex(hex)).toHaveLength(59)
    expect(Result.getOrThrow(decode(parseHex(hex)))).toMatchObject({
      context: "connect0x0DE7F805",
      lobbyType: "",
      certificateRequired: false
    })
    const older = Result.getOrThrow(decode(parseHex(hex).subarray(0, 58)))
    expect(older).toMatchObject({ _tag: "CsgoHandshakeChallenge", valveServer: false })
    expect(older).not.toHaveProperty("certificateRequired")
  })

  it("a request of CS:GO can contain lower-case digits, and the NUL at its end can be missing", () => {
    expect(Result.getOrThrow(decode(parseHex(`${HEADER} 71 ${ascii("connect0xdeadbeef")}`)))).toEqual({
      _tag: "CsgoHandshakeRequest",
      challenge: 0xdeadbeef | 0
    })
  })

  it.each(["rehlds", "hltv"])("the recorded handshakes of %s are decoded, and encoded to the same bytes", (program) => {
    const url = new URL(`../../core/test/fixtures/recordings/${program}.json`, import.meta.url)
    const { exchanges } = JSON.parse(readFileSync(url, "utf8")) as {
      readonly exchanges: ReadonlyArray<{
        readonly request_hex: string
        readonly replies: ReadonlyArray<{ readonly hex: string }>
      }>
    }
    const handshakes = exchanges.filter(({ request_hex }) => request_hex.startsWith(`ffffffff${ascii("getchallenge")}`))
    expect(handshakes.length).toBeGreaterThan(1)
    for (const { replies, request_hex } of handshakes) {
      expect(Result.getOrThrow(decode(fromHex(request_hex)!))._tag).toBe("GoldSourceHandshakeRequest")
      const bytes = fromHex(replies[0]!.hex)!
      const reply = Result.getOrThrow(decode(bytes))
      expect(reply._tag).toBe("GoldSourceHandshakeChallenge")
      expect(reply).not.toHaveProperty("trailing")
      expect(toHex(Result.getOrThrow(encode(reply)))).toBe(toHex(bytes))
    }
  })
})

describe("a datagram that fits none of the forms of the handshake", () => {
  it.each<readonly [hex: string, messageTag: string, field: string, offset: number]>([
    // If the authentication protocol is 3, more fields must follow at offset 21.
    [`${HEADER} 41 33 49 4f 5a d2 02 96 49 78 56 34 12 03 00 00 00`, "HandshakeChallenge", "encryptionKeySize", 21],
    [`${HEADER} 41 33 49 4f 5a d2 02 96 49 78 56 34 12 03 00 00 00 00 00 01 02`, "HandshakeChallenge", "steamId", 23],
    [`${HEADER} 41 33 49 4f 5a d2 02 96 49 78 56`, "HandshakeChallenge", "clientChallenge", 13],
    [`${HEADER} 41 05 f8 e7 0d 04 00 00 00 00 00`, "CsgoHandshakeChallenge", "authProtocol", 9],
    [
      `${HEADER} 41 05 f8 e7 0d 03 00 00 00 00 00 ${STEAM_ID} 01 ${ascii("conn")}`,
      "CsgoHandshakeChallenge",
      "context",
      24
    ],
    [
      `${HEADER} 41 05 f8 e7 0d 03 00 00 00 00 00 ${STEAM_ID} 01 00 be 35 00 00 00 00 00 00`,
      "CsgoHandshakeChallenge",
      "lobbyId",
      31
    ],
    [`${HEADER} ${ascii("A00000000 x")}`, "GoldSourceHandshakeChallenge", "serverChallenge", 14],
    [`${HEADER} ${ascii("A00000000 1 3 x")}`, "GoldSourceHandshakeChallenge", "steamId", 18],
    [`${HEADER} ${ascii("A00000000 1 3 18446744073709551616 0")}`, "GoldSourceHandshakeChallenge", "steamId", 18],
    [`${HEADER} ${ascii("A00000000 1 3 5 2\n")}`, "GoldSourceHandshakeChallenge", "vac", 20],
    [`${HEADER} 71 ${ascii("connect0xYZ")}`, "CsgoHandshakeRequest", "challenge", 14],
    [`${HEADER} 71 ${ascii("connect0x123456789\0")}`, "CsgoHandshakeRequest", "challenge", 14],
    [`${HEADER} 71 ${ascii("connect-now\0")}`, "CsgoHandshakeRequest", "word", 12],
    [`${HEADER} 71 01 02`, "HandshakeRequest", "challenge", 5],
    [`${HEADER} 6b`, "ConnectRequest", "protocolVersion", 5],
    [`${HEADER} 6b 18 00 00 00 03 00 00 00 01 00 00 00 02 00 00 00 00 00 00 09 00 01`, "ConnectRequest", "ticket", 26],
    [`${HEADER} 6b be 35 00 00 07 00 00 00 05 f8 e7 0d 00 00 01`, "CsgoConnectRequest", "authProtocol", 9]
  ])("causes an error with the position of the first byte that does not fit: %s", (hex, messageTag, field, offset) => {
    expect(Result.getOrThrow(Result.flip(decode(parseHex(hex))))).toMatchObject({
      _tag: "Malformed",
      messageTag,
      field,
      offset
    })
  })

  it("the error for a malformed request to join shows only the header of the request, because the request can contain a password", () => {
    for (const hex of [`${HEADER} 6b 18 00 00 00 02 00 00 00`, `${HEADER} 6b be 35 00 00 09 00 00 00`]) {
      expect(Result.getOrThrow(Result.flip(decode(parseHex(hex))))).toMatchObject({ hex: "ffffffff" })
    }
  })
})

describe("the server type `i`", () => {
  it.each(["69", "49"])("is decoded as the listen server of a Steam emulator: 0x%s", (code) => {
    const bytes = parseHex(`${HEADER} 49 11 ${ascii("n\0m\0f\0g\0")} f0 00 01 02 00 ${code} 77 00 00 ${ascii("1\0")}`)
    expect(Result.getOrThrow(decode(bytes))).toMatchObject({ serverType: "emulatedListen", environment: "windows" })
  })
})
