import { assert, describe, it } from "@effect/vitest"
import { Client, Master, MasterFilter, Timing } from "@sourcewire/core"
import { layerOf, makeNetwork, MemoryNetwork, seededRandom } from "@sourcewire/core/testing"
import { MasterReply, MasterRequest, PrintReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { matchesPattern } from "../src/master/matching.ts"
import type { ListedServer } from "../src/index.ts"
import { InvalidServer, MasterResponder, MasterServer, RateLimiter, startMaster } from "../src/index.ts"

const FROM = ["192.0.2.1", 27_005] as const

const request = (filter = "", { padding = 0, region = 255, seed = "0.0.0.0:0" } = {}): Uint8Array =>
  Result.getOrThrow(
    MasterRequest.encode({
      _tag: "MasterRequest",
      region,
      seed,
      filter,
      ...(padding === 0 ? {} : { trailing: "00".repeat(padding) })
    })
  )

const pageOf = (replies: ReadonlyArray<Uint8Array>): MasterReply => Result.getOrThrow(MasterReply.decode(replies[0]!))

const listed: ReadonlyArray<ListedServer> = [
  {
    address: "10.0.0.1:27015",
    name: "Duel night",
    gamedir: "cstrike",
    map: "de_dust2",
    version: "1.1.2.7",
    appId: 10,
    players: 3,
    maxPlayers: 16,
    dedicated: true,
    secure: true,
    linux: true,
    passwordProtected: false,
    region: 3,
    tags: ["alltalk", "HLTV"],
    hiddenTags: ["a", "b"]
  },
  {
    address: "10.0.0.1:27016",
    gamedir: "cstrike",
    map: "de_dust",
    appId: 10,
    players: 16,
    maxPlayers: 16,
    passwordProtected: true,
    region: 0
  },
  {
    address: "10.0.0.2:27015",
    gamedir: "tf",
    map: "ctf_2fort",
    appId: 440,
    players: 0,
    maxPlayers: 24,
    whitelisted: true
  },
  { address: "10.0.0.3:27020", gamedir: "tf", proxy: true, region: 255 }
]

const select = (filter: string, region = 255): ReadonlyArray<string> => {
  const responder = new MasterResponder({ servers: listed, answersStrangers: true })
  return pageOf(responder.respond(request(filter, { region }), ...FROM, 0)).servers.map((address) =>
    String(listed.findIndex((server) => server.address === address))
  )
}

describe("filters", () => {
  it.each([
    ["", "0123"],
    ["\\gamedir\\CSTRIKE", "01"],
    ["\\map\\de_dust2", "0"],
    ["\\appid\\440", "2"],
    ["\\napp\\10", "23"],
    ["\\dedicated\\1", "0"],
    ["\\dedicated\\0", "0123"],
    ["\\secure\\1\\linux\\1", "0"],
    ["\\password\\0", "0"],
    ["\\empty\\1", "01"],
    ["\\full\\1", "02"],
    ["\\empty\\1\\full\\1", "0"],
    ["\\noplayers\\1", "2"],
    ["\\proxy\\1", "3"],
    ["\\white\\1", "2"],
    ["\\gametype\\hltv,alltalk", "0"],
    ["\\gametype\\hltv,other", ""],
    ["\\gamedata\\a,b", "0"],
    ["\\gamedataor\\b,c", "0"],
    ["\\name_match\\duel*", "0"],
    ["\\version_match\\1.1*", "0"],
    ["\\gameaddr\\10.0.0.1", "01"],
    ["\\gameaddr\\10.0.0.1:27016", "1"],
    ["\\collapse_addr_hash\\1", "023"],
    ["\\nor\\2\\gamedir\\tf\\map\\de_dust", "0"],
    ["\\nand\\2\\gamedir\\cstrike\\map\\de_dust", "023"],
    ["\\nor\\1\\nand\\2\\gamedir\\cstrike\\map\\de_dust", "1"],
    ["\\unheard\\of", "0123"],
    ["\\nor\\2\\unheard\\of\\gamedir\\tf", "01"],
    ["\\nor\\1\\unheard\\of\\gamedir\\tf", "23"]
  ])("%s", (filter, expected) => {
    assert.strictEqual(select(filter).join(""), expected)
  })

  it.each([
    [255, "0123"],
    [0, "123"],
    [3, "023"],
    [5, "23"]
  ])("region %i", (region, expected) => {
    assert.strictEqual(select("", region).join(""), expected)
  })

  it.each([
    ["abc", "abc", true],
    ["abc", "ab", false],
    ["abc", "*", true],
    ["abc", "a*c", true],
    ["abc", "*b*", true],
    ["abc", "a*b*c*", true],
    ["ab", "ab*b", false],
    ["aXbX", "a*x", true],
    ["", "*", true],
    ["", "", true]
  ])("%j against %j", (text, pattern, expected) => {
    assert.strictEqual(matchesPattern(text, pattern), expected)
  })
})

const many = Array.from({ length: 1000 }, (_, i): ListedServer => ({
  address: `10.${i % 7}.${i >> 8}.${i & 255}:${27_000 + (i % 13)}`
}))

describe("MasterResponder", () => {
  it("pages in order of address, behind the seed, with an end mark", () => {
    const responder = new MasterResponder({ servers: many, answersStrangers: true })
    const all: Array<string> = []
    for (let seed = "0.0.0.0:0", pages = 1; ; pages++) {
      const page = pageOf(responder.respond(request("", { seed }), ...FROM, 0))
      all.push(...page.servers)
      if (page.complete) {
        assert.strictEqual(pages, 5)
        break
      }
      seed = page.servers.at(-1)!
    }
    assert.strictEqual(new Set(all).size, 1000)
  })

  it("goes on behind a server that has gone, and follows the list", () => {
    const servers = [...listed]
    let now: ReadonlyArray<ListedServer> = servers
    const responder = new MasterResponder({ servers: () => now, answersStrangers: true })
    const ask = (seed: string) => pageOf(responder.respond(request("", { seed }), ...FROM, 0)).servers
    assert.deepStrictEqual(ask("10.0.0.1:27016"), ["10.0.0.2:27015", "10.0.0.3:27020"])
    now = servers.filter((_, i) => i !== 1)
    assert.deepStrictEqual(ask("10.0.0.1:27016"), ["10.0.0.2:27015", "10.0.0.3:27020"])
    now = []
    assert.deepStrictEqual(pageOf(responder.respond(request(), ...FROM, 0)), {
      _tag: "MasterReply",
      servers: [],
      complete: true
    })
  })

  it("keeps its list where the function that gives it fails", () => {
    let give = (): unknown => listed
    const servers = () => give() as ReadonlyArray<ListedServer>
    const responder = new MasterResponder({ servers, answersStrangers: true })
    const count = () => pageOf(responder.respond(request(), ...FROM, 0)).servers.length
    assert.strictEqual(count(), 4)
    give = () => {
      throw new Error("no database")
    }
    assert.strictEqual(count(), 4)
    give = () => undefined
    assert.strictEqual(count(), 4)
    give = () => [null, 5, {}, { address: 7 }, listed[0]]
    assert.strictEqual(count(), 1)
  })

  it("leaves out what the protocol cannot carry, and lists each address once", () => {
    const servers = [
      "[::1]:27015",
      "example:1",
      "0.0.0.0:0",
      "10.0.0.9:1",
      "10.0.0.9:1",
      "10.0.0.300:1",
      "10.0.0.9:70000"
    ]
    const responder = new MasterResponder({ servers: servers.map((address) => ({ address })), answersStrangers: true })
    assert.deepStrictEqual(pageOf(responder.respond(request(), ...FROM, 0)).servers, ["10.0.0.9:1"])
  })

  it("gives strangers a page as large as their request", () => {
    const responder = new MasterResponder({ servers: many })
    const plain = responder.respond(request(), ...FROM, 0)
    assert.strictEqual(pageOf(plain).servers.length, 1)
    const padded = responder.respond(request("", { padding: 1379 }), ...FROM, 0)
    assert.strictEqual(padded[0]!.length, MasterServer.MAX_PAGE_BYTES)
    assert.strictEqual(pageOf(padded).servers.length, 231)
  })

  it("rations full pages, and falls back to small ones", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 2 })
    const responder = new MasterResponder({ servers: many, answersStrangers: true, limit })
    const sizes = Array.from({ length: 3 }, () => pageOf(responder.respond(request(), ...FROM, 0)).servers.length)
    assert.deepStrictEqual(sizes, [231, 231, 1])
  })

  it("works out only so many filters a second, and keeps those in use", () => {
    const responder = new MasterResponder({ servers: listed })
    const ask = (filter: string, now: number) => responder.respond(request(filter), ...FROM, now).length
    const answered = Array.from({ length: 200 }, (_, i) => ask(`\\map\\m${i}`, 0)).reduce((sum, one) => sum + one, 0)
    assert.strictEqual(answered, 50)
    assert.strictEqual(ask("\\map\\m49", 0), 1)
    assert.strictEqual(ask("\\map\\m199", 0), 0)
    assert.strictEqual(ask("\\map\\m199", 1000), 1)
    assert.strictEqual(ask("\\linux\\1".repeat(33), 1000), 0)
    assert.strictEqual(ask(`\\nor\\40${"\\linux\\1".repeat(40)}`, 1000), 0)
    assert.strictEqual(ask("\\linux\\1".repeat(32), 1000), 1)
  })

  it("says what is wrong with a filter, as far as the request is large enough", () => {
    const responder = new MasterResponder({ servers: listed })
    const refusal = responder.respond(request("\\gamedir", { padding: 100 }), ...FROM, 0)
    assert.match(Result.getOrThrow(PrintReply.decode(refusal[0]!)).text, /gamedir/)
    assert.deepStrictEqual(responder.respond(request("\\gamedir"), ...FROM, 0), [])
  })

  it("never sends more than it got, whatever arrives, and never throws", () => {
    const random = seededRandom(6)
    const responder = new MasterResponder({ servers: many })
    const pick = (...parts: ReadonlyArray<string>) => parts[Math.floor(random() * parts.length)]!
    for (let i = 0; i < 3000; i++) {
      const seed = pick("0.0.0.0:0", "10.3.1.44:27004", "1.2.3.4:5", "256.1.1.1:1", "", "x")
      const filter = pick("", "\\nor\\1\\map\\x", "\\", "x", "\\map\\a", String.fromCharCode(random() * 256))
      const text = `1${String.fromCharCode(random() * 256)}${seed}\0${filter}${pick("", "\0", "\0\0\0\0\0\0\0\0")}`
      const datagram = Uint8Array.from(text, (character) => character.charCodeAt(0)).subarray(
        0,
        pick("", "1") === "" ? 2000 : 9
      )
      for (const reply of responder.respond(datagram, ...FROM, i)) assert.isAtMost(reply.length, datagram.length)
    }
    assert.deepStrictEqual(responder.respond(new Uint8Array(0), ...FROM, 0), [])
    assert.deepStrictEqual(responder.respond(request("", { padding: 3000 }), ...FROM, 0), [])
  })
})

describe("MasterServer", () => {
  const list = Effect.fnUntraced(function* (
    options: Partial<MasterServer.MasterServerOptions>,
    asked: Master.MasterOptions = {}
  ) {
    const transport = layerOf(yield* makeNetwork({ loss: 0.1, duplication: 0.1, reordering: 0.1, seed: 3 }))
    const master = yield* Effect.provide(MasterServer.make({ servers: many, ...options }), transport)
    const running = yield* Master.servers(`${master.address}:${master.port}`, asked).pipe(
      Stream.runCollect,
      Effect.provide(Layer.provide(Client.layer(), transport)),
      Effect.forkChild
    )
    yield* TestClock.adjust("1 hour")
    return { servers: yield* Fiber.join(running), counters: master.counters() }
  })

  it.effect.each([true, false])(
    "hands its whole list to a client over a bad network, answering strangers: %s",
    (answersStrangers) =>
      Effect.gen(function* () {
        const { counters, servers } = yield* list({ answersStrangers })
        assert.deepStrictEqual(servers.toSorted(), many.map(({ address }) => address).toSorted())
        assert.isBelow(counters.requests, 40)
        if (!answersStrangers) assert.isAtMost(counters.bytesOut, counters.bytesIn)
      })
  )

  const failure = (options: unknown) =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const started = MasterServer.make(options as MasterServer.MasterServerOptions).pipe(
        Effect.scoped,
        Effect.provide(layerOf(network)),
        Effect.result
      )
      return Result.match(yield* started, {
        onSuccess: () => undefined,
        onFailure: (error) => (error._tag === "InvalidServer" ? error.option : error._tag)
      })
    })

  it.effect.each(["0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "::ffff:0.0.0.0"])(
    "answers strangers on %s only when told that it may amplify",
    (host) =>
      Effect.gen(function* () {
        const options = { servers: many, answersStrangers: true, host }
        assert.strictEqual(yield* failure(options), "allowAmplification")
        assert.isUndefined(yield* failure({ ...options, allowAmplification: true }))
        assert.isUndefined(yield* failure({ ...options, answersStrangers: false }))
      })
  )

  it.effect.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("answers strangers on %s", (host) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* failure({ servers: many, answersStrangers: true, host }))
    })
  )

  it.effect.each<readonly [string, unknown]>([
    ["servers", undefined],
    ["options", null],
    ["servers", {}],
    ["servers", { servers: "192.0.2.1:27015" }],
    ["answersStrangers", { servers: [], answersStrangers: 1 }],
    ["host", { servers: [], host: "master.example" }],
    ["port", { servers: [], port: -1 }],
    ["limit.perSecond", { servers: [], limit: { perSecond: "5" } }]
  ])("names %s where it makes no sense (%#)", ([option, options]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failure(options), option)
    })
  )

  it("rejects likewise where it is started by a Promise", async () => {
    const rejected = (options: unknown) =>
      startMaster(options as Parameters<typeof startMaster>[0]).then(
        () => assert.fail("started"),
        (reason: unknown) => (reason instanceof InvalidServer ? reason.option : reason)
      )
    assert.strictEqual(await rejected(undefined), "transport")
    assert.strictEqual(await rejected({ servers: [] }), "transport")
    const transport = layerOf(new MemoryNetwork(Timing.live))
    assert.strictEqual(await rejected({ transport }), "servers")
  })

  it.effect("hands out what a filter wants", () =>
    Effect.gen(function* () {
      const { servers } = yield* list({ servers: listed }, { filter: [MasterFilter.gamedir("tf")], region: "asia" })
      assert.deepStrictEqual(servers, ["10.0.0.2:27015", "10.0.0.3:27020"])
    })
  )
})
