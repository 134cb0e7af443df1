import { encodeText, splitDatagram } from "@sourcewire/protocol/wire"
import type { InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { type DiagnosedDatagram, type FindingKind, KINDS, diagnose, diagnoseMessage } from "../src/index.ts"
import { CLIENT, SERVER, bytes, exchange, listFindings, hex, listKinds, received, recorded, sent } from "./datagrams.ts"

const info = (fields: Partial<InfoReply> = {}): Uint8Array =>
  bytes({
    _tag: "InfoReply",
    protocol: 17,
    name: "Test",
    map: "de_dust2",
    folder: "cstrike",
    game: "Counter-Strike: Source",
    appId: 240,
    players: 2,
    maxPlayers: 24,
    bots: 0,
    serverType: "dedicated",
    environment: "linux",
    passwordProtected: false,
    vac: true,
    version: "1",
    port: 27015,
    ...fields
  })

const player = (name: string, duration = 60) => ({ index: 0, name, score: 0, duration })

const list = (names: ReadonlyArray<string>, fields: Partial<PlayersReply> = {}): Uint8Array =>
  bytes({
    _tag: "PlayersReply",
    announced: names.length & 0xff,
    players: names.map((name, i) => player(name, 60 + i)),
    truncated: false,
    ...fields
  })

const rules = (count: number): Uint8Array => {
  const reply: RulesReply = {
    _tag: "RulesReply",
    announced: count,
    rules: Array.from({ length: count }, (_, i) => ({ name: `sv_rule_${i}`, value: "1" })),
    truncated: false
  }
  return bytes(reply)
}

const askInfo = bytes({ _tag: "InfoRequest" })
const askPlayers = (challenge = -1) => bytes({ _tag: "PlayersRequest", challenge })
const askRules = (challenge = -1) => bytes({ _tag: "RulesRequest", challenge })
const challenge = (value: number) => bytes({ _tag: "ChallengeReply", challenge: value })
const fragments = splitDatagram(rules(200), { layout: "source", id: 7, maxBytes: 1260 })
const pair = splitDatagram(rules(100), { layout: "source", id: 8, maxBytes: 1260 })
const names = (count: number) => Array.from({ length: count }, (_, i) => `Player ${i}`)

/** A PLAYER reply with one player, whose name consists of these bytes. */
const listWithName = (name: Uint8Array): Uint8Array =>
  new Uint8Array([...hex("ffffffff44 01 00"), ...name, ...hex("00 05000000 0000803f")])

const wholeQuery = [
  sent(0, askInfo),
  received(20, challenge(99)),
  sent(21, bytes({ _tag: "InfoRequest", challenge: 99 })),
  received(40, info()),
  sent(41, askPlayers(99)),
  received(60, list(["Ada", "Grace"]))
]

interface Case {
  readonly kind: FindingKind
  readonly datagrams: ReadonlyArray<DiagnosedDatagram>
  /** The beginning of the finding's text. */
  readonly text: string
  /** The first place of the finding: the index of the datagram, and the offset and the length in bytes. */
  readonly place: readonly [number, number, number]
}

const cases: ReadonlyArray<Case> = [
  {
    kind: "no-reply",
    datagrams: [sent(0, askInfo), sent(1000, askInfo), sent(3000, askInfo)],
    text: "The server sent nothing back to 3 requests (INFO) within 3.0 s.",
    place: [0, 0, 25]
  },
  {
    kind: "fake-ip",
    datagrams: [sent(0, askInfo, "169.254.10.20:30000")],
    text: "169.254.10.20:30000 is a FakeIP of Steam",
    place: [0, 0, 25]
  },
  {
    kind: "private-address",
    datagrams: [sent(0, askInfo, "192.168.1.5:27015"), received(5, info(), "192.168.1.5:27015")],
    text: "192.168.1.5:27015 is a private address",
    place: [0, 0, 25]
  },
  {
    kind: "unexpected-reply",
    datagrams: [sent(0, askPlayers()), received(20, info())],
    text: "The server replied to PLAYER with another message: S2A_INFO_SRC.",
    place: [1, 4, 1]
  },
  {
    kind: "part-unanswered",
    datagrams: [sent(0, askInfo), received(20, info({ passwordProtected: true })), sent(30, askPlayers())],
    text: "The server replies, but not to PLAYER (1 request).",
    place: [2, 0, 9]
  },
  {
    kind: "silent-after-challenge",
    datagrams: [
      ...exchange(recorded("xash3d", "players: challenge -1")),
      ...exchange(recorded("xash3d", "players: right challenge, server with a password"), 100).map((one) => ({
        ...one,
        bytes: askPlayers(-2109291161)
      }))
    ],
    text: "The server sent a challenge, but did not reply to PLAYER with this challenge.",
    place: [2, 0, 9]
  },
  {
    kind: "wrong-challenge",
    datagrams: [
      ...exchange(recorded("cacher", "info: 25-byte request without challenge")),
      sent(30, bytes({ _tag: "InfoRequest", challenge: 0x645056eb }))
    ],
    text: "INFO contains the challenge 1682986731, but the server had sent the challenge -346664860. The server did not reply. The bytes of the challenge in the request are in reverse order.",
    place: [2, 25, 4]
  },
  {
    kind: "challenge-loop",
    datagrams: [1, 2, 3].flatMap((i) => [
      sent(i * 10, askPlayers(i === 1 ? -1 : i - 1)),
      received(i * 10 + 5, challenge(i))
    ]),
    text: "The server never accepts the challenge: 2 times",
    place: [2, 5, 4]
  },
  {
    kind: "challenge-expired",
    datagrams: [
      sent(0, askPlayers()),
      received(10, challenge(1)),
      sent(6300, askPlayers(1)),
      received(6310, challenge(2)),
      sent(6311, askPlayers(2)),
      received(6320, list(["Ada"]))
    ],
    text: "The server did not accept the challenge that it had sent before",
    place: [2, 5, 4]
  },
  {
    kind: "challenge-unused",
    datagrams: exchange(recorded("cacher", "info: 25-byte request without challenge")),
    text: "The server sent a challenge (-346664860) instead of the data",
    place: [1, 5, 4]
  },
  {
    kind: "challenge-zero",
    datagrams: [sent(0, askPlayers()), received(10, hex("ffffffff4100000000"))],
    text: "The challenge of this server is 0.",
    place: [1, 5, 4]
  },
  {
    kind: "first-fragment-only",
    datagrams: [sent(0, askRules(99)), received(20, fragments[0]!)],
    text: `Only the first of ${fragments.length} fragments arrived. It has 1260 bytes, 1288 with the headers of UDP and IPv4.`,
    place: [1, 0, 1260]
  },
  {
    kind: "missing-fragments",
    datagrams: [sent(0, askRules(99)), received(20, fragments[0]!), received(21, fragments[2]!)],
    text: `Fragment 2 of ${fragments.length} is missing`,
    place: [1, 0, 1260]
  },
  {
    kind: "missing-fragments",
    datagrams: [received(20, fragments[1]!)],
    text: "1 fragment of a split reply arrived, but not the first one",
    place: [0, 0, 1260]
  },
  {
    kind: "missing-fragments",
    datagrams: [received(0, pair[0]!), received(1, pair[1]!.with(4, 99))],
    text: "A first fragment was followed by a fragment with another id.",
    place: [0, 0, 1260]
  },
  {
    kind: "malformed",
    datagrams: [received(0, info().subarray(0, 12))],
    text: "The datagram ends inside InfoReply.map at byte 11",
    place: [0, 11, 1]
  },
  {
    kind: "unknown-message",
    datagrams: [received(0, hex("ffffffff4a00"))],
    text: "The type byte 0x4a at offset 4 belongs to no known message.",
    place: [0, 4, 1]
  },
  {
    kind: "other-address",
    datagrams: [sent(0, askInfo), received(20, info(), "192.0.2.1:27016")],
    text: "The requests went to 192.0.2.1:27015, but a reply came from 192.0.2.1:27016.",
    place: [1, 0, 65]
  },
  {
    kind: "packet-loss",
    datagrams: [sent(0, askInfo), sent(500, askInfo), received(520, info())],
    text: "1 of 2 requests (50 %) had no reply and had to be sent again: INFO.",
    place: [0, 0, 25]
  },
  {
    kind: "duplicate-reply",
    datagrams: [sent(0, askInfo), received(20, info()), received(21, info())],
    text: "The reply to INFO arrived 2 times.",
    place: [2, 0, 65]
  },
  {
    kind: "slow-reply",
    datagrams: [sent(0, askInfo), received(2345, info())],
    text: "The reply to INFO took 2.3 s.",
    place: [1, 0, 65]
  },
  {
    kind: "large-datagram",
    datagrams: exchange(recorded("xash3d", "rules: reply longer than 1400 bytes")),
    text: "A datagram has 2485 bytes",
    place: [1, 0, 2485]
  },
  {
    kind: "banned",
    datagrams: [
      sent(0, askInfo),
      received(9, hex(`ffffffff6c${Buffer.from("You have been banned from this server.\n\0").toString("hex")}`))
    ],
    text: "The server has banned this address. The server replied: “You have been banned from this server.”",
    place: [1, 5, 40]
  },
  {
    kind: "wrong-password",
    datagrams: exchange(recorded("rehlds", "rcon wrong password (1)")),
    text: "The server did not accept the RCON password.",
    place: [1, 5, 20]
  },
  {
    kind: "rejected",
    datagrams: exchange(recorded("rehlds", "rcon wrong challenge")),
    text: "The server refused the request. The server replied: “No challenge for your address.”",
    place: [1, 5, 32]
  },
  {
    kind: "password-required",
    datagrams: exchange(recorded("xash3d", "info: server with a password")),
    text: "The server requires a password.",
    place: [1, 58, 1]
  },
  {
    kind: "all-bots",
    datagrams: exchange(recorded("xash3d", "info: five bots")),
    text: "All 5 players are bots: no people play.",
    place: [1, 53, 1]
  },
  {
    kind: "all-bots",
    datagrams: exchange(recorded("xash3d", "players: right challenge, five bots")),
    text: "All 5 players of the list have the play time −1",
    place: [1, 0, 128]
  },
  {
    kind: "empty-server",
    datagrams: exchange(recorded("xash3d", "info: no players")),
    text: "The server itself reports 0 players (INFO).",
    place: [1, 53, 1]
  },
  {
    kind: "relay-counts",
    datagrams: exchange(recorded("hltv", "info T")),
    text: "This is a relay (SourceTV or HLTV): its INFO counts 0 spectators",
    place: [1, 60, 1]
  },
  {
    kind: "count-wrapped",
    datagrams: [received(0, info({ folder: "rust", appId: 0, players: 44, keywords: "mp400,cp300,qp0" }))],
    text: "INFO counts 44 players, but its keywords say 300: the count in INFO is one byte, which cannot exceed 255.",
    place: [0, 50, 1]
  },
  {
    kind: "count-wrapped",
    datagrams: [received(0, info({ players: 4 })), received(20, list(names(260)))],
    text: "INFO counts 4 players, but the list has 260",
    place: [0, 53, 1]
  },
  {
    kind: "count-differs",
    datagrams: [received(0, info({ folder: "rust", appId: 0, players: 36, keywords: "mp300,cp46,qp0" }))],
    text: "INFO counts 36 players, but its keywords say 46.",
    place: [0, 50, 1]
  },
  {
    kind: "count-differs",
    datagrams: [received(0, info({ players: 5 })), received(20, list(["Ada", "Grace"]))],
    text: "INFO counts 5 players, but the list has 2.",
    place: [0, 53, 1]
  },
  {
    kind: "list-truncated",
    datagrams: [received(0, list(names(64)).subarray(0, 200))],
    text: "The reply announces 64 players, but ends after 10 complete entries, at byte 200.",
    place: [0, 5, 1]
  },
  {
    kind: "rules-overflow",
    datagrams: exchange(recorded("xash3d", "rules: more rules than the engine buffer holds")),
    text: "The reply announces 0 rules, but contains 238 and ends after 8188 bytes",
    place: [1, 5, 2]
  },
  {
    kind: "keywords-truncated",
    datagrams: [received(0, info({ appId: 730, keywords: "x".repeat(63) }))],
    text: "The keywords end after 63 bytes, the limit of Counter-Strike 2.",
    place: [0, 65, 64]
  },
  {
    kind: "names-hidden",
    datagrams: [received(0, list(["", "", ""]))],
    text: "All 3 names in the list are empty: the server hides them.",
    place: [0, 0, 36]
  },
  {
    kind: "names-hidden",
    datagrams: [received(0, list(["Max Players"]))],
    text: "The list has a single entry called “Max Players”",
    place: [0, 7, 12]
  },
  {
    kind: "players-connecting",
    datagrams: [received(0, list(["Ada", ""]))],
    text: "1 of 2 players in the list has no name.",
    place: [0, 20, 1]
  },
  {
    kind: "not-utf8",
    datagrams: [received(0, listWithName(encodeText("Привет", "windows-1251")!))],
    text: "The text of players[0].name is not valid UTF-8. In windows-1251, the text is “Привет”.",
    place: [0, 7, 7]
  },
  {
    kind: "not-utf8",
    datagrams: [received(0, listWithName(encodeText("José", "windows-1252")!))],
    text: "The text of players[0].name is not valid UTF-8. In windows-1252, the text is “José”.",
    place: [0, 7, 5]
  },
  {
    kind: "binary-rules",
    datagrams: [received(0, hex("ffffffff45 0100 0101 00 03020102897cc3c7 00"))],
    text: "The rules contain binary data",
    place: [0, 7, 3]
  },
  {
    kind: "encoded-twice",
    datagrams: [received(0, list(["Jos\u00c3\u00a9"]))],
    text: "The text of players[0].name was encoded twice. Decoded once more, the text is “José”.",
    place: [0, 7, 8]
  },
  {
    kind: "text-truncated",
    datagrams: [received(0, listWithName(hex("d09fd180 d0")))],
    text: "The text of players[0].name ends within a character",
    place: [0, 7, 6]
  },
  {
    kind: "colour-codes",
    datagrams: exchange(recorded("xash3d", "players: right challenge, five bots")),
    text: "The text of players[2].name contains colour codes",
    place: [1, 43, 11]
  },
  {
    kind: "frozen-times",
    datagrams: [received(0, list(["Ada"])), received(5000, list(["Ada"]))],
    text: "The play times of the players did not change in 5.0 s",
    place: [0, 0, 19]
  },
  {
    kind: "proxy-age",
    datagrams: [received(0, hex(`ffffffff6a${Buffer.from("sourcewire age 1200 - 60000\0").toString("hex")}`))],
    text: "A Sourcewire proxy replies for the server. Age of its stored replies: INFO 1.2 s, RULES 60.0 s.",
    place: [0, 5, 28]
  },
  {
    kind: "old-info-format",
    datagrams: exchange(recorded("hltv", "info T")),
    text: "This INFO reply has the older form (type 0x6D)",
    place: [1, 4, 1]
  },
  {
    kind: "no-extra-data",
    datagrams: exchange(recorded("xash3d", "info: no players")),
    text: "The INFO reply ends after the version",
    place: [1, 65, 0]
  },
  {
    kind: "trailing-bytes",
    datagrams: [received(0, new Uint8Array([...info(), 1, 2, 3]))],
    text: "3 bytes follow after the end of the message.",
    place: [0, 65, 3]
  }
]

describe("findings", () => {
  it.each(cases)("$kind: $text", ({ datagrams, kind, place, text }) => {
    const found = listFindings(datagrams).filter((one) => one.kind === kind)
    expect(found.map((one) => one.text.slice(0, text.length))).toEqual([text])
    const { datagram, length, offset } = found[0]!.places[0]!
    expect([datagram, offset, length]).toEqual(place)
    expect(found[0]!.hint).not.toBe("")
  })

  it("of every kind are in the table above, except the kinds that other tests cover", () => {
    const shown = new Set([...cases.map(({ kind }) => kind), "checksum-mismatch", "limit-exceeded", "port-closed"])
    expect(Object.keys(KINDS).filter((kind) => !shown.has(kind))).toEqual([])
  })

  it("do not occur for an ordinary query", () => {
    expect(listKinds(wholeQuery)).toEqual([])
  })

  it("report a server that returns the request instead of a reply", () => {
    const echoed = [sent(0, askInfo), received(20, askInfo), sent(1000, askInfo), received(1020, askInfo)]
    const found = diagnose(echoed).map(({ findings, server }) => [server, findings.map(({ text }) => text)])
    const text = "The server replied to INFO with another message: A2S_INFO."
    expect(found).toEqual([[SERVER, [`${text} This occurs 2 times.`]]])
  })

  it("about lost fragments do not have the severity `error` if a later reply is complete", () => {
    const [first, second] = pair
    const lost = [sent(0, askRules()), received(20, first!), sent(500, askRules())]
    const only = listFindings(lost).find(({ kind }) => kind === "first-fragment-only")
    expect(only!.severity).toBe("error")
    const repeated = splitDatagram(rules(100), { layout: "source", id: 9, maxBytes: 1260 })
    const found = listFindings([...lost, ...repeated.map((fragment) => received(520, fragment))])
    expect(found.map(({ severity }) => severity)).not.toContain("error")
    expect(found.find(({ kind }) => kind === "first-fragment-only")!.text).toMatch(/A later reply was complete\.$/)
    const late = listFindings([
      sent(0, askRules()),
      received(20, second!),
      ...repeated.map((one) => received(520, one))
    ])
    expect(late.map(({ kind, severity }) => [kind, severity])).toContainEqual(["missing-fragments", "warning"])
  })

  it("do not report a late copy of the challenge as a rejected challenge", () => {
    const late = [
      sent(0, askRules()),
      sent(400, askRules()),
      received(420, challenge(99)),
      sent(421, askRules(99)),
      received(430, challenge(99)),
      sent(600, askRules(99)),
      received(620, rules(3))
    ]
    expect(listKinds(late)).not.toContain("challenge-expired")
  })

  it("do not report missing requests if the input contains only replies", () => {
    const replies = [challenge(99), list(["Ada"])].map((bytes) => ({ bytes }))
    expect(listKinds(replies)).toEqual([])
    expect(listKinds(replies.toReversed())).toEqual(["challenge-unused"])
  })

  it("contain the first word of a text, but not the other words, because these words may be a password", () => {
    const text = hex(`ffffffff${Buffer.from('connect 48 1 "\\password\\secret"\n').toString("hex")}`)
    const [only] = listFindings([received(0, text)])
    expect(only).toMatchObject({ kind: "unknown-message", severity: "note" })
    expect(only!.text).toContain("begins with “connect”")
    expect(JSON.stringify(only)).not.toContain("secret")
  })

  it("about a malformed request have the severity `warning` if the server replied to this request", () => {
    const found = listFindings(exchange(recorded("hltv", "T alone")))
    expect(found.find(({ kind }) => kind === "malformed")!.severity).toBe("warning")
    expect(listFindings([sent(0, hex("ffffffff54"))]).map(({ severity }) => severity)).toEqual(["error"])
  })

  it("about two different counts in one reply mention that both counts are in the same reply", () => {
    const rust = info({ folder: "rust", players: 36, keywords: "mp500,cp46" })
    const [only] = listFindings([received(0, rust)])
    expect(only).toMatchObject({ kind: "count-differs", text: "INFO counts 36 players, but its keywords say 46." })
    expect(only!.hint).toContain("Both counts are in the same reply")
  })

  it("state that the server has no RCON password, instead of a wrong password", () => {
    const [only] = listFindings(exchange(recorded("rehlds", "rcon, server has no password set")).slice(1))
    expect(only).toMatchObject({ kind: "wrong-password", hint: expect.stringContaining("Set rcon_password") })
    expect(only!.text).toBe(
      "The server has no RCON password, so it accepts no command. The server replied: “Bad rcon_password. No password set for this server.”"
    )
  })

  it("about hidden names use the singular if the list of players contains only one name", () => {
    const found = listFindings([received(0, list([""]))])
    expect(found.map(({ text }) => text)).toEqual(["The only name in the list is empty: the server hides it."])
  })

  it("report a closed port instead of missing replies if the caller lists the server in `refused`", () => {
    const [only] = diagnose([sent(0, askInfo)], { refused: new Set([SERVER]) })
    expect(only!.findings.map(({ kind }) => kind)).toEqual(["port-closed"])
  })

  it("about a wrong checksum contain the place of the fragment", () => {
    // The bzip2 data is from another A2S_RULES reply, so the checksum is wrong.
    const compressed = splitDatagram(rules(3), {
      layout: "source",
      id: 9,
      compressed: hex(
        "425a68393141592653594eece83600000251800010400006449080200031064c4101a7a9a580bb9431f8bb9229c28482776741b0"
      )
    })
    const found = listFindings(compressed.map((one, i) => received(i, one)))
    expect(found.map(({ kind }) => kind)).toEqual(["checksum-mismatch"])
    expect(found[0]!.places).toEqual([{ datagram: 0, offset: 0, length: 1 }])
  })

  it("about a part of a split reply refer to the datagram that contains this part", () => {
    const split = splitDatagram(list(["A".repeat(40), "B".repeat(40), ""]), {
      layout: "goldsource",
      id: 3,
      maxBytes: 60
    })
    const found = listFindings(split.map((one, i) => received(i, one))).find(
      ({ kind }) => kind === "players-connecting"
    )
    expect(found!.places).toEqual([{ datagram: 2, offset: 14, length: 1 }])
    const all = listFindings(split.slice(0, 2).map((one, i) => received(i, one)))
    expect(all.map(({ kind }) => kind)).toEqual(["missing-fragments"])
  })
})

it("diagnoseMessage explains a single message", () => {
  const [only] = diagnoseMessage(info().subarray(0, 12))
  expect(only).toMatchObject({ kind: "malformed", field: "map", places: [{ datagram: 0, offset: 11, length: 1 }] })
  expect(diagnoseMessage(challenge(5))).toEqual([])
})

it("for any bytes, `diagnose` does not throw, and the places of all findings are within the bytes", () => {
  const seeds = ["xash3d", "hltv", "cacher", "rehlds"] as const
  const base = [
    ...exchange(recorded(seeds[0], "players: five bots and one connecting human")),
    ...exchange(recorded(seeds[0], "rules: reply longer than 1400 bytes")),
    ...exchange(recorded(seeds[1], "players U -1")),
    ...exchange(recorded(seeds[2], "info: 25-byte request without challenge")),
    ...exchange(recorded(seeds[3], "rcon wrong challenge")),
    ...fragments.map((one) => received(500, one)),
    ...splitDatagram(info(), { layout: "goldsource", id: 3, maxBytes: 30 }).map((one) => received(600, one))
  ]
  let state = 1
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round++) {
    const mutated = base
      .filter(() => random(5) > 0)
      .map((one): DiagnosedDatagram => {
        const copy = one.bytes.slice(0, random(3) === 0 ? random(one.bytes.length + 1) : one.bytes.length)
        for (let i = random(4); i > 0 && copy.length > 0; i--) copy[random(Math.min(copy.length, 40))] = random(256)
        return random(6) === 0 ? { bytes: copy } : { ...one, bytes: copy }
      })
    for (const { findings } of diagnose(mutated)) {
      for (const { places, text } of findings) {
        expect(text).toMatch(/[.”]$/)
        expect(places.length).toBeGreaterThan(0)
        for (const { datagram, length, offset } of places) {
          expect(offset + length).toBeLessThanOrEqual(mutated[datagram]!.bytes.length)
        }
      }
    }
  }
})

describe("conversations", () => {
  it("contain the datagrams of all clients of a server, and the replies that the server sent from another port", () => {
    const other = "192.0.2.2:27015"
    const found = diagnose([
      sent(0, askInfo),
      sent(1, askInfo, other),
      { ...sent(2, askInfo), from: "198.51.100.9:50001" },
      received(20, info(), other),
      received(21, info(), "192.0.2.1:1234")
    ])
    expect(found.map(({ clients, datagrams, server }) => [server, clients, datagrams])).toEqual([
      [SERVER, [CLIENT, "198.51.100.9:50001"], [0, 2, 4]],
      [other, [CLIENT], [1, 3]]
    ])
  })

  it("datagrams without addresses belong to one conversation", () => {
    const found = diagnose([{ bytes: askInfo }, { bytes: info({ players: 3, bots: 3 }) }])
    expect(found).toHaveLength(1)
    expect(found[0]!.server).toBeUndefined()
    expect(found[0]!.findings.map(({ kind }) => kind)).toEqual(["all-bots"])
  })

  it("contain a finding only once if the same finding occurs several times", () => {
    const found = listFindings([0, 1, 2].map((i) => received(i, hex("ffffffff4a00"))))
    expect(found.map(({ places, text }) => [places.length, text])).toEqual([
      [3, "The type byte 0x4a at offset 4 belongs to no known message. This occurs 3 times."]
    ])
  })

  it("list the findings with the severity `error` before other findings", () => {
    const found = listFindings([received(0, list([""])), received(5, info().subarray(0, 12))])
    expect(found.map(({ severity }) => severity)).toEqual(["error", "note"])
  })

  it("have no findings about game traffic", () => {
    expect(listKinds([...wholeQuery, sent(99, hex("0100"), SERVER), received(99, hex("020304"))])).toEqual([])
  })
})
