import { describe, expect, it } from "vitest"
import { FAKE_KINDS, HONEST_KINDS } from "@sourcewire/emulator/machines"
import { type FindingKind, handshakeForm, KINDS, type Observation, type Strength, Survey } from "../src/index.ts"
import { parseHost, findNetwork } from "../src/host.ts"
import { judge } from "./generatedList.ts"

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 0, 1)

const INFO = { name: "A server", map: "de_dust2", folder: "cstrike", players: 6, maxPlayers: 32, bots: 0 }

const people = (duration: (i: number) => number, prefix = "Player ") => ({
  players: Array.from({ length: 6 }, (_, i) => ({ name: `${prefix}${i}`, score: i, duration: duration(i) }))
})

/** Adds the observations to a survey. Returns the kind and the strength of each finding about the server at the first address. */
const found = (...observations: ReadonlyArray<Partial<Observation>>): Partial<Record<FindingKind, Strength>> => {
  const survey = new Survey()
  for (const observation of observations)
    survey.add({ address: "192.0.2.1:27015", atMs: START, info: INFO, ...observation })
  const [verdict] = survey.verdicts()
  return Object.fromEntries(verdict!.findings.map(({ kind, strength }) => [kind, strength]))
}

const addresses = (count: number, each: (i: number) => Partial<Observation>) =>
  Array.from({ length: count }, (_, i) => ({ address: `192.0.2.${i}:27015`, ...each(i) }))

describe("a server on its own", () => {
  const before = people((i) => 100 + 400 * i)

  it("has no finding if the play times of its players advance", () => {
    const after = people((i) => 160 + 400 * i)
    expect(found({ players: before }, { players: after, atMs: START + MINUTE_MS })).toEqual({})
  })

  it("has frozen play times if the play times are the same a minute later", () => {
    const players = { players: before }
    expect(found(players, { ...players, atMs: START + MINUTE_MS })).toEqual({ "frozen-play-times": "strong" })
    // If less than a minute has passed, the play times can be the same because a Sourcewire proxy serves the same reply again.
    expect(found(players, { ...players, atMs: START + MINUTE_MS - 1000 })).toEqual({})
  })

  it("has no frozen play times if all players reconnect every minute", () => {
    const players = people((i) => 20 + i)
    expect(found({ players }, { players, atMs: START + MINUTE_MS })).toEqual({})
    // All players reconnect at every map change. After the second map change, they reconnected a few seconds sooner than after the first
    // map change. Therefore their play times in the second list are longer.
    const later = people((i) => 24 + i)
    expect(found({ players }, { players: later, atMs: START + MINUTE_MS })).toEqual({})
  })

  it("has irregular play times if the play times advance at half speed", () => {
    const after = people((i) => 200 + 400 * i)
    expect(found({ players: before }, { players: after, atMs: START + 3.5 * MINUTE_MS })).toEqual({
      "irregular-play-times": "medium"
    })
  })

  it("has impossible arrivals if new players have long play times", () => {
    const after = people((i) => 1000 + i * 100, "New ")
    expect(found({ players: before }, { players: after, atMs: START + MINUTE_MS })).toEqual({
      "impossible-arrivals": "strong"
    })
  })

  it("has replaced players if all players of the second list are new", () => {
    const after = people((i) => 10 + i, "New ")
    expect(found({ players: before }, { players: after, atMs: START + MINUTE_MS })).toEqual({
      "replaced-players": "weak"
    })
  })

  it("has frozen play times even if INFO and PLAYER were queried in separate observations", () => {
    const alone = { info: undefined, players: before }
    expect(
      found({}, { ...alone, atMs: START + 5000 }, { atMs: START + 70_000 }, { ...alone, atMs: START + 75_000 })
    ).toEqual({
      "frozen-play-times": "strong"
    })
  })

  it("has impossible play times if the play times are negative", () => {
    expect(found({ players: people((i) => -100 * i - 2) })).toEqual({ "impossible-play-times": "medium" })
    // GoldSource's bots have a play time of -1 s.
    expect(found({ players: people(() => -1) })).toEqual({})
  })

  it("has the finding `equal-play-times` if all players have the same play time and fewer than half of them are bots", () => {
    expect(found({ players: people(() => 77) })).toEqual({ "equal-play-times": "weak" })
    expect(found({ players: people(() => 77), info: { ...INFO, bots: 6 } })).toEqual({})
  })

  it("has a redirect if the reply to the handshake contains a different address", () => {
    const handshake = { replied: true, redirect: "192.0.2.9:27015" }
    expect(found({ handshake })).toEqual({ redirect: "strong" })
    expect(found({ handshake, info: { ...INFO, players: 0 } })).toEqual({ redirect: "medium" })
    const to = (redirect: string) => ({ handshake: { replied: true, redirect } })
    expect(found(to("192.0.2.1:27016"))).toEqual({ redirect: "medium" })
    expect(found(to("192.0.2.1:27015"))).toEqual({})
  })

  it("has the finding `no-handshake` if the server does not reply to the handshake", () => {
    expect(found({ handshake: { replied: false } })).toEqual({ "no-handshake": "weak" })
  })

  it("has an RTT difference if all its replies to INFO are much faster than its reply to the handshake", () => {
    expect(found({ rttMs: { info: 2, handshake: 140 } })).toEqual({ "rtt-difference": "weak" })
    // A smaller difference is no finding, because some servers reply to a handshake only in their next frame.
    expect(found({ rttMs: { info: 2, handshake: 70 } })).toEqual({})
    const slow = { rttMs: { info: 80 } }
    expect(found(slow, { rttMs: { info: 2, handshake: 140 }, atMs: START + 1000 })).toEqual({})
  })

  it("has observer-dependent INFO if two observers receive very different player counts", () => {
    const other = { observer: "b", atMs: START + 1000 }
    expect(found({ observer: "a" }, { ...other, info: { ...INFO, players: 20 } })).toEqual({
      "observer-dependent-info": "medium"
    })
    expect(found({ observer: "a" }, { ...other, info: { ...INFO, players: 7 } })).toEqual({})
  })

  it("has a constant count if the count stays the same for hours", () => {
    const hours = Array.from({ length: 30 }, (_, i) => ({ atMs: START + i * 10 * MINUTE_MS }))
    expect(found(...hours)).toEqual({ "constant-count": "medium" })
    const constantCount = { sinceMs: START - 240 * MINUTE_MS, observations: 48 }
    expect(found({}, { atMs: START + MINUTE_MS, constantCount })).toEqual({ "constant-count": "medium" })
    expect(found({}, { constantCount: { ...constantCount, observations: 19 } })).toEqual({})
    expect(found(...hours, { atMs: START + 300 * MINUTE_MS, info: { ...INFO, players: 7 } })).toEqual({})
  })
})

describe("Steam's counts", () => {
  const info = { ...INFO, players: 24 }
  const others = addresses(9, (i) => ({
    address: `192.0.2.${i + 10}:27015`,
    info: { ...INFO, name: `Server ${i}` },
    listed: { players: 6, secure: true }
  }))
  const listed = { players: 0, secure: true }

  it("contradict a server that reports a much higher player count", () => {
    expect(found({ info, listed }, ...others)).toEqual({ "steam-count": "medium" })
  })

  it("are strong evidence if a server reports a much higher player count in two observations", () => {
    expect(found({ info, listed }, { info, atMs: START + MINUTE_MS }, ...others)).toEqual({ "steam-count": "strong" })
  })

  it("are only medium evidence after two observations if the server does not use VAC", () => {
    const insecure = { players: 0, secure: false }
    expect(found({ info, listed: insecure }, { info, atMs: START + MINUTE_MS }, ...others)).toEqual({
      "steam-count": "medium"
    })
  })

  it("are no evidence if Steam counts no players on any server", () => {
    expect(found({ info, listed }, ...others.map((other) => ({ ...other, listed })))).toEqual({})
  })

  it("do not contradict a server if players joined or bots left between two observations", () => {
    const before = { info: { ...info, players: 2 }, listed }
    expect(found(before, { info, atMs: START + MINUTE_MS }, ...others)).toEqual({})
    const bots = { info: { ...info, bots: 20 }, listed: { players: 24, bots: 20 } }
    expect(found(bots, { info, atMs: START + MINUTE_MS })).toEqual({})
  })

  const counted = (players: Observation["players"], ages = [60, 120]) =>
    found(
      ...ages.map((age) => ({
        info,
        players,
        listed: { ...listed, bots: 20, atMs: START + MINUTE_MS - age * 1000 },
        atMs: START + MINUTE_MS
      })),
      ...others
    )
  const list = (duration: (i: number) => number) => ({
    players: Array.from({ length: 24 }, (_, i) => ({ name: `Player ${i}`, score: i, duration: duration(i) }))
  })
  const both = (strength: Strength) => ({ "steam-count": strength, "uncounted-bots": strength })

  it("do not contradict a server if the players joined after Steam counted", () => {
    expect(counted(list((i) => 1000 + i * 100))).toEqual(both("strong"))
    expect(counted(list((i) => 10 + i))).toEqual({})
  })

  it("do not contradict a server if its players have the play time of bots (-1 s)", () => {
    expect(counted(list(() => -1))).toEqual({})
  })

  it("are strong evidence if the list of players is empty", () => {
    expect(counted({ players: [] })).toEqual(both("strong"))
  })

  it("are only medium evidence if the server sends no list of players", () => {
    // Without a list of players, the times at which the players joined are unknown.
    expect(counted(undefined)).toEqual(both("medium"))
  })

  it("reveal bots that the server counts as people", () => {
    expect(found({ info, listed: { players: 4, bots: 20 } })).toEqual({ "uncounted-bots": "strong" })
    // This evidence is weaker, because Steam's count of 24 players may include the 20 bots.
    expect(found({ info, listed: { players: 24, bots: 20 } })).toEqual({ "uncounted-bots": "medium" })
    // This is no finding, because the bots may have left the server after Steam counted.
    expect(found({ info: { ...info, players: 4 }, listed: { players: 4, bots: 20 } })).toEqual({})
  })
})

describe("many servers", () => {
  const named = (i: number) => ({ ...INFO, name: `Server ${i}` })

  it("have findings if they list the same players at the same time", () => {
    const players = people((i) => 100 + 400 * i)
    const copies = (count: number) => found(...addresses(count, (i) => ({ info: named(i), players })))
    expect(copies(12)).toEqual({ "copied-players": "strong" })
    expect(copies(3)).toEqual({ "copied-players": "weak" })
    expect(copies(1)).toEqual({})
  })

  it("have findings if they list the same player names", () => {
    const list = (server: number) => people((i) => 100 + 400 * i + server * 5000)
    expect(found(...addresses(30, (i) => ({ info: named(i), players: list(i) })))).toEqual({ "shared-names": "medium" })
  })

  it("have findings if they report the same SteamID", () => {
    const sharing = (count: number, steamId: string) =>
      found(...addresses(count, (i) => ({ info: { ...named(i), steamId } })))
    expect(sharing(12, "90071996842377217")).toEqual({ "shared-steam-id": "strong" })
    expect(sharing(2, "90071996842377217")).toEqual({ "shared-steam-id": "weak" })
    // Servers that are not logged in to Steam, or that do not use Steam, report these placeholders.
    for (const placeholder of ["0", "1", "2", "72057594037927936", "85568392920039424", "90071992547409920"])
      expect([placeholder, sharing(12, placeholder)]).toEqual([placeholder, {}])
  })

  it("have findings if they report the same INFO", () => {
    expect(found(...addresses(12, () => ({})))).toEqual({ "copied-info": "medium" })
    expect(found(...addresses(12, () => ({ info: { ...INFO, players: 0 } })))).toEqual({})
  })

  it("have findings if they have the same rules", () => {
    const rules = { rules: Array.from({ length: 25 }, (_, i) => ({ name: `rule_${i}`, value: String(i) })) }
    expect(found(...addresses(25, (i) => ({ info: named(i), rules })))).toEqual({ "copied-rules": "weak" })
  })

  const ports = (count: number, host: string) =>
    Array.from({ length: count }, (_, i) => ({ address: `${host}:${20_000 + i}`, info: { ...named(i), players: 0 } }))

  it("have findings if one address has more servers than a machine can run", () => {
    expect(found(...ports(1000, "192.0.2.1"))).toEqual({ "many-ports": "strong" })
    expect(found(...ports(999, "192.0.2.1"))).toEqual({})
    // Steam uses the network 169.254.0.0/16 for all servers behind its relays. Therefore many of these servers can share an address.
    expect(found(...ports(1000, "169.254.3.4"))).toEqual({})
  })

  // One machine can use all addresses of a /64 network.
  it("are grouped by /64 network if they have IPv6 addresses", () => {
    const spread = (count: number, host: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => ({ address: `[${host(i)}]:27015`, info: { ...named(i), players: 0 } }))
    const inOne = (i: number) => `2001:db8:0:7::${i.toString(16)}`
    expect(found(...ports(1000, "[2001:db8::1]"))).toEqual({ "many-ports": "strong" })
    expect(found(...spread(1000, inOne))).toEqual({ "many-ports": "medium" })
    expect(found(...spread(999, inOne))).toEqual({})
    expect(found(...spread(1000, (i) => `2001:db8:0:${i.toString(16)}::1`))).toEqual({})
    const alike = spread(25, inOne).map((one) => ({ ...one, info: { ...INFO, players: 0 } }))
    expect(found(...alike)).toEqual({ "same-name-ports": "weak" })
    const rules = { rules: Array.from({ length: 25 }, (_, i) => ({ name: `rule_${i}`, value: String(i) })) }
    expect(found(...spread(25, inOne).map((one) => ({ ...one, rules })))).toEqual({})
    expect(found(...spread(25, (i) => `2001:db8:${i}:1::1`).map((one) => ({ ...one, rules })))).toEqual({
      "copied-rules": "weak"
    })
  })

  it("have findings if many ports of one address report the same name", () => {
    const same = ports(25, "192.0.2.1").map((port) => ({ ...port, info: { ...INFO, players: 0 } }))
    expect(found(...same)).toEqual({ "same-name-ports": "weak" })
  })

  it("have findings if they have the same address, and many randomly chosen ports of this address reply", () => {
    const random = Array.from({ length: 30 }, (_, i) => ({ address: `192.0.2.1:${30_000 + i}`, randomPort: true }))
    expect(found({}, ...random)).toEqual({ "random-ports": "strong" })
    expect(found({}, ...random.map((port, i) => ({ ...port, info: i < 3 ? INFO : undefined })))).toEqual({})
  })
})

describe("a generated list", () => {
  const options = { honest: 1700, fakesOfEachKind: 120, manyPorts: 2 * 1100, manyPortsHosts: 2 }

  it.each([
    ["without loss", {}, {}],
    ["with 10 % loss and slow servers", { loss: 0.1, slowMs: 3000 }, {}],
    ["with a map change between the observations", {}, { mapSeconds: 60, reconnects: true }],
    ["with loss, slow servers and a map change", { loss: 0.1, slowMs: 3000 }, { mapSeconds: 60, reconnects: true }]
  ])(
    "%s, nearly all fakes have a strong finding, but no honest server has a strong finding",
    (_name, conditions, maps) => {
      for (const seed of [1, 2]) {
        const outcomes = judge({ ...options, ...maps, seed }, conditions)
        for (const kind of HONEST_KINDS) expect([kind, outcomes.get(kind)!.wrong]).toEqual([kind, []])
        for (const kind of FAKE_KINDS) {
          const { contradicted, servers } = outcomes.get(kind)!
          expect([kind, contradicted >= 0.99 * servers]).toEqual([kind, true])
        }
      }
    }
  )

  it("after one observation, no honest server has a strong finding", () => {
    const outcomes = judge(options, { observations: 1 })
    for (const kind of HONEST_KINDS) expect([kind, outcomes.get(kind)!.wrong]).toEqual([kind, []])
  })
})

it("the network of a server does not depend on the notation of its address", () => {
  expect(parseHost("[::ffff:192.0.2.1]:27015")).toBe("192.0.2.1")
  expect(
    ["192.0.2.1", "2001:db8::1", "2001:0db8:0:0:1::", "fe80::1%eth0", "::1", "1:2:3:4:5:6:7:8"].map(findNetwork)
  ).toEqual(["192.0.2.1", "2001:db8::/64", "2001:db8::/64", "fe80::/64", "0::/64", "1:2:3:4::/64"])
})

it("the form of a game's handshake depends on its app id", () => {
  expect([440, 4_465_480, 10, undefined].map(handshakeForm)).toEqual(["source", "csgo", undefined, undefined])
})

it("every kind of finding lists legitimate set-ups that can cause the finding", () => {
  for (const { expected, honest } of Object.values(KINDS)) {
    expect(expected).toMatch(/\.$/)
    expect(honest.length).toBeGreaterThan(0)
  }
})
