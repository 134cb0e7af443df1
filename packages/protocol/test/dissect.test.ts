import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { dissect } from "../src/Datagram.ts"

/** Behind header and type: offset and length, path, kind and value of each field, and the message that they make. */
const cases: ReadonlyArray<readonly [name: string, datagram: string, fields: ReadonlyArray<string>, message: object]> =
  [
    [
      "an INFO reply with every extra, and a byte too many",
      "I\x11n\x00m\x00f\x00g\x00\xdc\x02\x05\x0a\x01dl\x00\x01v\x00\xf1\x87i\x01\x00\x00\x00\x00\x00\x00\x00\x88itv\x00kw\x00\xda\x02\x00\x00\x00\x00\x00\x00!",
      [
        "5+1 protocol u8 17",
        '6+2 name text "n"',
        '8+2 map text "m"',
        '10+2 folder text "f"',
        '12+2 game text "g"',
        "14+2 appId u16 732",
        "16+1 players u8 5",
        "17+1 maxPlayers u8 10",
        "18+1 bots u8 1",
        '19+1 serverType code "dedicated"',
        '20+1 environment code "linux"',
        "21+1 passwordProtected flag false",
        "22+1 vac flag true",
        '23+2 version text "v"',
        "25+1 edf bits 241",
        "26+2 port u16 27015",
        '28+8 steamId u64 "1"',
        "36+2 sourceTv.port u16 27016",
        '38+3 sourceTv.name text "tv"',
        '41+3 keywords text "kw"',
        '44+8 gameId u64 "730"',
        '52+1 trailing bytes "21"'
      ],
      {
        _tag: "InfoReply",
        protocol: 17,
        name: "n",
        map: "m",
        folder: "f",
        game: "g",
        appId: 730,
        players: 5,
        maxPlayers: 10,
        bots: 1,
        serverType: "dedicated",
        environment: "linux",
        passwordProtected: false,
        vac: true,
        version: "v",
        port: 27015,
        steamId: "1",
        sourceTv: { port: 27016, name: "tv" },
        keywords: "kw",
        gameId: "730",
        edf: 241,
        trailing: "21",
        appId16: 732
      }
    ],
    [
      "an INFO reply cut within its version, with codes of no meaning and a flag of 2",
      "I\x11n\x00m\x00f\x00g\x00\xdc\x02\x05\x0a\x01xZ\x02\x01v",
      [
        "5+1 protocol u8 17",
        '6+2 name text "n"',
        '8+2 map text "m"',
        '10+2 folder text "f"',
        '12+2 game text "g"',
        "14+2 appId u16 732",
        "16+1 players u8 5",
        "17+1 maxPlayers u8 10",
        "18+1 bots u8 1",
        "19+1 serverType code 120",
        "20+1 environment code 90",
        "21+1 passwordProtected flag true",
        "22+1 vac flag true",
        '23+1 version text "v"'
      ],
      {
        _tag: "InfoReply",
        protocol: 17,
        name: "n",
        map: "m",
        folder: "f",
        game: "g",
        appId: 732,
        players: 5,
        maxPlayers: 10,
        bots: 1,
        serverType: 120,
        environment: 90,
        passwordProtected: true,
        vac: true,
        version: "v",
        truncated: true,
        passwordProtectedCode: 2
      }
    ],
    [
      "an INFO reply cut within an extra: what came before is whole",
      "I\x11n\x00m\x00f\x00g\x00\xdc\x02\x05\x0a\x01dl\x00\x01v\x00\xc0\x87i\x88it",
      [
        "5+1 protocol u8 17",
        '6+2 name text "n"',
        '8+2 map text "m"',
        '10+2 folder text "f"',
        '12+2 game text "g"',
        "14+2 appId u16 732",
        "16+1 players u8 5",
        "17+1 maxPlayers u8 10",
        "18+1 bots u8 1",
        '19+1 serverType code "dedicated"',
        '20+1 environment code "linux"',
        "21+1 passwordProtected flag false",
        "22+1 vac flag true",
        '23+2 version text "v"',
        "25+1 edf bits 192",
        "26+2 port u16 27015",
        '28+3 trailing bytes "886974"'
      ],
      {
        _tag: "InfoReply",
        protocol: 17,
        name: "n",
        map: "m",
        folder: "f",
        game: "g",
        appId: 732,
        players: 5,
        maxPlayers: 10,
        bots: 1,
        serverType: "dedicated",
        environment: "linux",
        passwordProtected: false,
        vac: true,
        version: "v",
        port: 27015,
        truncated: true,
        edf: 192,
        trailing: "886974"
      }
    ],
    [
      "an INFO reply of The Ship, and a name that is no UTF-8",
      "I\x11\xff\x00m\x00f\x00g\x00`\x09\x05\x0a\x01Pm\x00\x01\x03\x05\x06v\x00",
      [
        "5+1 protocol u8 17",
        '6+2 name text "ÿ"',
        '8+2 map text "m"',
        '10+2 folder text "f"',
        '12+2 game text "g"',
        "14+2 appId u16 2400",
        "16+1 players u8 5",
        "17+1 maxPlayers u8 10",
        "18+1 bots u8 1",
        '19+1 serverType code "sourcetv"',
        '20+1 environment code "mac"',
        "21+1 passwordProtected flag false",
        "22+1 vac flag true",
        '23+1 theShip.mode code "deathmatch"',
        "24+1 theShip.witnesses u8 5",
        "25+1 theShip.duration u8 6",
        '26+2 version text "v"'
      ],
      {
        _tag: "InfoReply",
        protocol: 17,
        name: "ÿ",
        map: "m",
        folder: "f",
        game: "g",
        appId: 2400,
        players: 5,
        maxPlayers: 10,
        bots: 1,
        serverType: "sourcetv",
        environment: "mac",
        passwordProtected: false,
        vac: true,
        theShip: { mode: "deathmatch", witnesses: 5, duration: 6 },
        version: "v",
        nameHex: "ff"
      }
    ],
    [
      "GoldSource's INFO reply with a mod",
      "m1.2.3.4:5\x00n\x00m\x00f\x00g\x00\x05\x0a/dl\x00\x01link\x00dl\x00r\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x01\x07",
      [
        '5+10 address text "1.2.3.4:5"',
        '15+2 name text "n"',
        '17+2 map text "m"',
        '19+2 folder text "f"',
        '21+2 game text "g"',
        "23+1 players u8 5",
        "24+1 maxPlayers u8 10",
        "25+1 protocol u8 47",
        '26+1 serverType code "dedicated"',
        '27+1 environment code "linux"',
        "28+1 passwordProtected flag false",
        "29+1 isMod flag 1",
        '30+5 mod.link text "link"',
        '35+3 mod.downloadLink text "dl"',
        '38+2 mod.reserved text "r"',
        "40+4 mod.version i32 1",
        "44+4 mod.size i32 2",
        '48+1 mod.type code "multiplayerOnly"',
        '49+1 mod.dll code "halfLife"',
        "50+1 vac flag true",
        "51+1 bots u8 7"
      ],
      {
        _tag: "GoldSourceInfoReply",
        address: "1.2.3.4:5",
        name: "n",
        map: "m",
        folder: "f",
        game: "g",
        players: 5,
        maxPlayers: 10,
        protocol: 47,
        serverType: "dedicated",
        environment: "linux",
        passwordProtected: false,
        mod: {
          link: "link",
          downloadLink: "dl",
          reserved: "r",
          version: 1,
          size: 2,
          type: "multiplayerOnly",
          dll: "halfLife"
        },
        vac: true,
        bots: 7
      }
    ],
    [
      "GoldSource's INFO reply of HLTV, and a mark of a mod that is 5",
      "m1.2.3.4:5\x00n\x00m\x00f\x00g\x00\x05\x0a/pl\x00\x05\x00\x01\x00\x00\x00\xff\x00\x00\x00",
      [
        '5+10 address text "1.2.3.4:5"',
        '15+2 name text "n"',
        '17+2 map text "m"',
        '19+2 folder text "f"',
        '21+2 game text "g"',
        "23+1 players u8 5",
        "24+1 maxPlayers u8 10",
        "25+1 protocol u8 47",
        '26+1 serverType code "sourcetv"',
        '27+1 environment code "linux"',
        "28+1 passwordProtected flag false",
        "29+1 isMod flag 5",
        "30+1 vac flag false",
        "31+4 hltv.spectators u32 1",
        "35+4 hltv.slots u32 255"
      ],
      {
        _tag: "GoldSourceInfoReply",
        address: "1.2.3.4:5",
        name: "n",
        map: "m",
        folder: "f",
        game: "g",
        players: 5,
        maxPlayers: 10,
        protocol: 47,
        serverType: "sourcetv",
        environment: "linux",
        passwordProtected: false,
        vac: false,
        hltv: { spectators: 1, slots: 255 },
        isModCode: 5
      }
    ],
    [
      "two players",
      "D\x02\x00a\x00\x01\x00\x00\x00\x00\x00\x80?\x01b\x00\xff\xff\xff\xff\x00\x00\x00\x00",
      [
        "5+1 announced u8 2",
        "6+1 players[0].index u8 0",
        '7+2 players[0].name text "a"',
        "9+4 players[0].score i32 1",
        "13+4 players[0].duration f32 1",
        "17+1 players[1].index u8 1",
        '18+2 players[1].name text "b"',
        "20+4 players[1].score i32 -1",
        "24+4 players[1].duration f32 0"
      ],
      {
        _tag: "PlayersReply",
        announced: 2,
        players: [
          { index: 0, name: "a", score: 1, duration: 1 },
          { index: 1, name: "b", score: -1, duration: 0 }
        ],
        truncated: false
      }
    ],
    [
      "three players, of whom the second is cut",
      "D\x03\x00a\x00\x01\x00\x00\x00\x00\x00\x80?\x01b\x00\xff\xff",
      [
        "5+1 announced u8 3",
        "6+1 players[0].index u8 0",
        '7+2 players[0].name text "a"',
        "9+4 players[0].score i32 1",
        "13+4 players[0].duration f32 1",
        '17+5 trailing bytes "016200ffff"'
      ],
      {
        _tag: "PlayersReply",
        announced: 3,
        players: [{ index: 0, name: "a", score: 1, duration: 1 }],
        truncated: true,
        trailing: "016200ffff"
      }
    ],
    [
      "a player of The Ship",
      "D\x01\x00a\x00\x01\x00\x00\x00\x00\x00\x80?\x02\x00\x00\x00\xc4\x09\x00\x00",
      [
        "5+1 announced u8 1",
        "6+1 players[0].index u8 0",
        '7+2 players[0].name text "a"',
        "9+4 players[0].score i32 1",
        "13+4 players[0].duration f32 1",
        "17+4 players[0].deaths i32 2",
        "21+4 players[0].money i32 2500"
      ],
      {
        _tag: "PlayersReply",
        announced: 1,
        players: [{ index: 0, name: "a", score: 1, duration: 1, deaths: 2, money: 2500 }],
        truncated: false
      }
    ],
    [
      "a player whom nobody announced",
      "D\x00\x00a\x00\x01\x00\x00\x00\x00\x00\x80?",
      [
        "5+1 announced u8 0",
        "6+1 players[0].index u8 0",
        '7+2 players[0].name text "a"',
        "9+4 players[0].score i32 1",
        "13+4 players[0].duration f32 1"
      ],
      {
        _tag: "PlayersReply",
        announced: 0,
        players: [{ index: 0, name: "a", score: 1, duration: 1 }],
        truncated: false
      }
    ],
    [
      "no player, and padding",
      "D\x00\x00\x00\x00",
      ["5+1 announced u8 0", '6+3 trailing bytes "000000"'],
      { _tag: "PlayersReply", announced: 0, players: [], truncated: false, trailing: "000000" }
    ],
    [
      "no player, and the beginning of one",
      "D\x00ab",
      ["5+1 announced u8 0", '6+2 trailing bytes "6162"'],
      { _tag: "PlayersReply", announced: 0, players: [], truncated: true, trailing: "6162" }
    ],
    [
      "a player, and padding",
      "D\x01\x00a\x00\x01\x00\x00\x00\x00\x00\x80?\x00\x00\x00",
      [
        "5+1 announced u8 1",
        "6+1 players[0].index u8 0",
        '7+2 players[0].name text "a"',
        "9+4 players[0].score i32 1",
        "13+4 players[0].duration f32 1",
        '17+3 trailing bytes "000000"'
      ],
      {
        _tag: "PlayersReply",
        announced: 1,
        players: [{ index: 0, name: "a", score: 1, duration: 1 }],
        truncated: false,
        trailing: "000000"
      }
    ],
    [
      "two rules of which one was announced",
      "E\x01\x00a\x00b\x00c\x00d\x00",
      [
        "5+2 announced u16 1",
        '7+2 rules[0].name text "a"',
        '9+2 rules[0].value text "b"',
        '11+2 rules[1].name text "c"',
        '13+2 rules[1].value text "d"'
      ],
      {
        _tag: "RulesReply",
        announced: 1,
        rules: [
          { name: "a", value: "b" },
          { name: "c", value: "d" }
        ],
        truncated: false
      }
    ],
    [
      "two rules, the second cut",
      "E\x02\x00a\x00b\x00c\x00",
      [
        "5+2 announced u16 2",
        '7+2 rules[0].name text "a"',
        '9+2 rules[0].value text "b"',
        '11+2 trailing bytes "6300"'
      ],
      { _tag: "RulesReply", announced: 2, rules: [{ name: "a", value: "b" }], truncated: true, trailing: "6300" }
    ],
    [
      "addresses up to their end, and more",
      "f\x0a\x01\x02\x03\x04i\x87\x00\x00\x00\x00\x00\x00xy",
      [
        '5+1 newline literal "\\n"',
        '6+6 servers[0] addresses "1.2.3.4:27015"',
        '12+6 end addresses "0.0.0.0:0"',
        '18+2 trailing bytes "7879"'
      ],
      { _tag: "MasterReply", servers: ["1.2.3.4:27015"], complete: true, trailing: "7879" }
    ],
    [
      "addresses behind padding, without an end",
      "f\x0a\x00\x00\x01\x02\x03\x04i\x87\x05\x06\x07\x08i\x88",
      [
        '5+1 newline literal "\\n"',
        '6+2 padding bytes "0000"',
        '8+6 servers[0] addresses "1.2.3.4:27015"',
        '14+6 servers[1] addresses "5.6.7.8:27016"'
      ],
      { _tag: "MasterReply", servers: ["1.2.3.4:27015", "5.6.7.8:27016"], complete: false, padding: "0000" }
    ],
    [
      "an RCON command",
      'rcon 123 "pa ss" status\x00',
      [
        '4+5 verb literal "rcon "',
        "9+4 challenge decimal 123",
        '13+8 password quoted "pa ss"',
        '21+7 command text "status"'
      ],
      { _tag: "RconRequest", challenge: 123, password: "pa ss", command: "status" }
    ],
    [
      "an RCON command without challenge, quotes and NUL",
      "rcon pw status",
      ['4+5 verb literal "rcon "', '9+3 password quoted "pw"', '12+6 command text "status"'],
      { _tag: "RconRequest", password: "pw", command: "status" }
    ],
    [
      "a line of a log with its secret",
      "S123L x\x00",
      ["5+3 secret decimal 123", '8+4 line text "L x"'],
      { _tag: "SecretLogLine", secret: 123, line: "L x" }
    ],
    [
      "a challenge for RCON",
      "challenge rcon 5\x0a\x00",
      ['4+15 command literal "challenge rcon "', "19+1 challenge decimal 5", '20+2 end literal "0a00"'],
      { _tag: "RconChallengeReply", challenge: 5 }
    ],
    [
      "a handshake's challenge",
      "A3IOZ\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x02\x00\xab\xcd\xef",
      [
        '5+4 magic literal "3IOZ"',
        "9+4 serverChallenge i32 1",
        "13+4 clientChallenge i32 2",
        "17+4 authProtocol i32 3",
        "21+2 encryptionKeySize u16 2",
        '23+2 encryptionKey bytes "abcd"',
        '25+1 rest bytes "ef"'
      ],
      {
        _tag: "HandshakeChallenge",
        serverChallenge: 1,
        clientChallenge: 2,
        authProtocol: 3,
        encryptionKeySize: 2,
        encryptionKey: "abcd",
        rest: "ef"
      }
    ],
    [
      "an INFO request with its challenge",
      "TSource Engine Query\x00\x01\x00\x00\x00",
      ['5+20 payload literal "Source Engine Query"', "25+4 challenge i32 1"],
      { _tag: "InfoRequest", challenge: 1 }
    ],
    [
      "an INFO request without its NUL",
      "TSource Engine Query",
      ['5+19 payload literal "Source Engine Query"'],
      { _tag: "InfoRequest" }
    ]
  ]

describe("dissect", () => {
  it.each(cases)("takes apart %s", (_, text, expected, message) => {
    const { fields, result } = dissect(
      Uint8Array.from(`\xff\xff\xff\xff${text}`, (character) => character.charCodeAt(0))
    )
    expect(fields[0]).toMatchObject({ path: "header", offset: 0, length: 4, type: "i32", value: -1 })
    expect(
      fields
        .filter(({ path }) => path !== "header" && path !== "type")
        .map((field) => `${field.offset}+${field.length} ${field.path} ${field.type} ${JSON.stringify(field.value)}`)
    ).toEqual(expected)
    expect(JSON.parse(JSON.stringify(Result.getOrThrow(result)))).toEqual(message)
  })

  it("explains what no declaration does", () => {
    const docs = (text: string) =>
      Object.fromEntries(
        dissect(Uint8Array.from(`\xff\xff\xff\xff${text}`, (character) => character.charCodeAt(0))).fields.map(
          ({ doc, path }) => [path, doc]
        )
      )
    expect(docs("f\n\0\0\x01\x02\x03\x04\x69\x87")).toMatchObject({
      header: "−1: a whole, connectionless message.",
      type: "M2A_SERVER_BATCH: A page of addresses.",
      padding: "Two bytes of padding, sent by WON2 masters."
    })
    expect(docs("j\0x")).toMatchObject({ trailing: "Bytes after the message." })
  })
})
