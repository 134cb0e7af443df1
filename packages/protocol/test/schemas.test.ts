import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { findDeclaration } from "../src/declarations/declarations.ts"
import { decode } from "../src/Datagram.ts"
import { fromHex } from "../src/Hex.ts"
import {
  RconChallengeReply,
  ChallengeReply,
  GoldSourceInfoReply,
  HandshakeChallenge,
  InfoReply,
  MasterReply,
  PlayersReply,
  PlayersRequest,
  RconRequest,
  RulesReply
} from "../src/Message.ts"
import { fromDatagram, toSchema } from "../src/schemas.ts"
import { info } from "./plainInfo.ts"

const goldSource = { ...info, _tag: "GoldSourceInfoReply", address: "a" }
const mod = {
  link: "",
  downloadLink: "",
  version: -1,
  size: 2,
  type: "multiplayerOnly",
  dll: "own"
}
const players = { _tag: "PlayersReply", announced: 1, players: [], truncated: false }
const player = { index: 0, name: "p", score: -1, duration: 0.5 }
const master = { _tag: "MasterReply", servers: ["1.2.3.4:5", "192.168.100.200:27015"], complete: true }
const handshake = {
  _tag: "HandshakeChallenge",
  serverChallenge: 1,
  clientChallenge: 2,
  authProtocol: 3,
  encryptionKeySize: 0,
  encryptionKey: "",
  steamId: "18446744073709551615",
  vac: false,
  rest: "0aff"
}

describe("the schema of a message", () => {
  it.each<readonly [codec: Parameters<typeof toSchema>[0], value: object]>([
    [InfoReply, info],
    [InfoReply, { ...info, appId: 0xff_ffff, appId16: 0xffff, serverType: 7, vacCode: 2, nameHex: "ff00" }],
    [InfoReply, { ...info, truncated: true, edf: 255, port: 65_535, keywords: "k", keywordsHex: "00" }],
    [InfoReply, { ...info, steamId: "18446744073709551615", gameId: "0", sourceTv: { port: 1, name: "tv" } }],
    [InfoReply, { ...info, theShip: { mode: "vipTeam", witnesses: 1, duration: 2 }, trailing: "00" }],
    [GoldSourceInfoReply, goldSource],
    [GoldSourceInfoReply, { ...goldSource, mod, isModCode: 3, bots: 1, hltv: { spectators: 1, slots: 0xffff_ffff } }],
    [GoldSourceInfoReply, { ...goldSource, mod: { ...mod, reserved: "r", type: 9 } }],
    [PlayersReply, { ...players, players: [player, { ...player, deaths: 1, money: -1 }] }],
    [RulesReply, { _tag: "RulesReply", announced: 65_535, rules: [{ name: "", value: "" }], truncated: true }],
    [MasterReply, { ...master, padding: "0000" }],
    [HandshakeChallenge, handshake],
    [HandshakeChallenge, { _tag: "HandshakeChallenge", serverChallenge: 1, clientChallenge: 2, authProtocol: 2 }],
    [PlayersRequest, { _tag: "PlayersRequest" }],
    [RconRequest, { _tag: "RconRequest", password: "p", passwordHex: "70", command: "c" }],
    [RconRequest, { _tag: "RconRequest", challenge: 1, password: "p", command: "c" }]
  ])("with the codec %o, accepts %o (case %#)", (codec, value) => {
    expect(Schema.is(toSchema(codec))(value)).toBe(true)
  })

  it.each<readonly [codec: Parameters<typeof toSchema>[0], value: object]>([
    [InfoReply, { ...info, _tag: "InfoRequest" }],
    [InfoReply, { ...info, name: undefined }],
    [InfoReply, { ...info, name: 1 }],
    [InfoReply, { ...info, nameHex: "f" }],
    [InfoReply, { ...info, nameHex: "FF" }],
    [InfoReply, { ...info, nameHex: "ff\n" }],
    [InfoReply, { ...info, protocol: 256 }],
    [InfoReply, { ...info, protocol: -1 }],
    [InfoReply, { ...info, protocol: 1.5 }],
    [InfoReply, { ...info, appId: 0x100_0000 }],
    [InfoReply, { ...info, appId: -1 }],
    [InfoReply, { ...info, appId16: 65_536 }],
    [InfoReply, { ...info, serverType: "tv" }],
    [InfoReply, { ...info, serverType: 256 }],
    [InfoReply, { ...info, vac: 1 }],
    [InfoReply, { ...info, vacCode: 256 }],
    [InfoReply, { ...info, truncated: false }],
    [InfoReply, { ...info, edf: 256 }],
    [InfoReply, { ...info, steamId: "18446744073709551616" }],
    [InfoReply, { ...info, steamId: "-1" }],
    [InfoReply, { ...info, sourceTv: { port: 1 } }],
    [InfoReply, { ...info, theShip: { mode: "hunt", witnesses: 1 } }],
    [InfoReply, { ...info, trailing: "0" }],
    [GoldSourceInfoReply, { ...goldSource, isModCode: -1 }],
    [GoldSourceInfoReply, { ...goldSource, mod: { ...mod, size: 2 ** 31 } }],
    [GoldSourceInfoReply, { ...goldSource, mod: { ...mod, link: undefined } }],
    [GoldSourceInfoReply, { ...goldSource, hltv: { spectators: -1, slots: 1 } }],
    [PlayersReply, { ...players, announced: 256 }],
    [PlayersReply, { ...players, announced: undefined }],
    [PlayersReply, { ...players, truncated: undefined }],
    [PlayersReply, { ...players, players: undefined }],
    [PlayersReply, { ...players, players: [{ ...player, score: 0.5 }] }],
    [PlayersReply, { ...players, players: [{ ...player, duration: "1" }] }],
    [PlayersReply, { ...players, players: [{ ...player, deaths: "1" }] }],
    [RulesReply, { _tag: "RulesReply", announced: 65_536, rules: [], truncated: false }],
    [RulesReply, { _tag: "RulesReply", announced: 1, rules: [{ name: "" }], truncated: false }],
    ...["1.2.3.4", "1.2.3:5", "1.2.3.4.5:6", "x1.2.3.4:5", "1.2.3.4:5x", "1.2.3.4:123456", "1234.2.3.4:5"].map(
      (address) => [MasterReply, { ...master, servers: [address] }] as const
    ),
    [MasterReply, { ...master, complete: undefined }],
    [MasterReply, { ...master, padding: "0" }],
    [HandshakeChallenge, { ...handshake, encryptionKey: "x" }],
    [HandshakeChallenge, { ...handshake, steamId: "18446744073709551616" }],
    [HandshakeChallenge, { ...handshake, vac: 1 }],
    [RconChallengeReply, { _tag: "RconChallengeReply" }],
    [RconRequest, { _tag: "RconRequest", command: "c" }],
    [RconRequest, { _tag: "RconRequest", challenge: 0.5, password: "p", command: "c" }]
  ])("with the codec %o, rejects %o (case %#)", (codec, value) => {
    expect(Schema.is(toSchema(codec))(value)).toBe(false)
  })

  it.each<readonly [codec: Parameters<typeof toSchema>[0], keys: string]>([
    [RconRequest, "_tag challenge password command passwordHex commandHex trailing"],
    [MasterReply, "_tag servers complete padding trailing"],
    [PlayersReply, "_tag announced players truncated trailing"],
    [
      GoldSourceInfoReply,
      "_tag address name map folder game players maxPlayers protocol serverType environment passwordProtected mod vac hltv bots " +
        "addressHex nameHex mapHex folderHex gameHex passwordProtectedCode isModCode vacCode trailing"
    ]
  ])("with the codec %o, has the keys of the message", (codec, keys) => {
    const { fields } = toSchema(codec) as unknown as { readonly fields: object }
    expect(Object.keys(fields).join(" ")).toBe(keys)
  })

  it("contains the name of the message, and the descriptions of its fields", () => {
    const { fields, ast } = toSchema(InfoReply) as unknown as {
      readonly fields: Readonly<Record<string, { readonly ast: { readonly annotations?: object } }>>
      readonly ast: { readonly annotations?: object }
    }
    expect(ast.annotations).toMatchObject({ identifier: "InfoReply", description: findDeclaration("InfoReply")?.doc })
    expect(fields["map"]!.ast.annotations).toMatchObject({ description: "Map being played." })
    expect(fields["truncated"]!.ast.annotations).toMatchObject({
      description: "Whether the reply is truncated: an announced part is missing or incomplete."
    })
    expect(JSON.stringify(fields["appId16"]!.ast)).toContain("The 16-bit app id as sent")
  })
})

describe("a codec as a schema", () => {
  const schema = fromDatagram(PlayersReply)

  it("reports why a datagram cannot be decoded, and why a message cannot be encoded", () => {
    expect(() => Schema.decodeSync(schema)(fromHex("ffffffff44")!)).toThrow(
      "PlayersReply.announced at byte 5 needs 1 byte, none left"
    )
    expect(() => Schema.decodeUnknownSync(toSchema(InfoReply))({ ...info, steamId: "-1" })).toThrow(
      "must be a decimal string from 0 to 18446744073709551615"
    )
    const long = { ...players, players: [{ ...player, name: "a\0" }] }
    expect(() => Schema.encodeSync(schema)(long as never)).toThrow("PlayersReply.players[0].name cannot contain a NUL")
  })

  it("decodes texts with the specified encoding", () => {
    const datagram = fromHex("ffffffff440100eb000000000000000000")!
    const named = (options: Parameters<typeof fromDatagram>[1]) =>
      Schema.decodeSync(fromDatagram(PlayersReply, options))(datagram).players[0]!.name
    expect([named({ encoding: "latin1" }), named({ encoding: "windows-1251" })]).toEqual(["ë", "л"])
    expect(decode(datagram)).toMatchObject({ success: { players: [{ name: "ë", nameHex: "eb" }] } })
  })
})

it("a schema has a field named `truncated` only if the message can be truncated", () => {
  const listNames = (codec: Parameters<typeof toSchema>[0]) =>
    Object.keys((toSchema(codec) as unknown as { readonly fields: object }).fields)
  expect(listNames(InfoReply)).toContain("truncated")
  expect(listNames(ChallengeReply)).not.toContain("truncated")
})
