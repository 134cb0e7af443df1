import { assert, describe, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { PrintReply } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { matchesPattern } from "../../src/master/matching.ts"
import type { ListedServer } from "../../src/Machines.ts"
import { RateLimiter } from "../../src/index.ts"
import { MasterResponder, MAX_PAGE_BYTES } from "../../src/master/MasterResponder.ts"
import { listed, many, decodePage, request } from "./masterLists.ts"

const FROM = ["192.0.2.1", 27_005] as const

/** Compares two addresses of the form `IP:PORT` number by number, from left to right. */
const compareAddresses = (a: string, b: string): number => {
  const [left, right] = [a, b].map((address) => address.split(/[.:]/).map(Number)) as [Array<number>, Array<number>]
  const at = left.findIndex((number, i) => number !== right[i])
  return at === -1 ? 0 : left[at]! - right[at]!
}

const select = (filter: string, region = 255): ReadonlyArray<string> => {
  const responder = new MasterResponder({ servers: listed, repliesToUnverified: true })
  return decodePage(responder.respond(request(filter, { region }), ...FROM, 0)).servers.map((address) =>
    String(listed.findIndex((server) => server.address === address))
  )
}

describe("a master's filter", () => {
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
    ["\\password\\1", "0123"],
    ["\\empty\\1", "01"],
    ["\\full\\1", "02"],
    ["\\empty\\1\\full\\1", "0"],
    ["\\noplayers\\1", "2"],
    ["\\proxy\\1", "3"],
    ["\\white\\1", "2"],
    ["\\gametype\\hltv,alltalk", "0"],
    ["\\gametype\\hltv,other", ""],
    ["\\gametype\\,hltv,,", "0"],
    ["\\gamedata\\a,b", "0"],
    ["\\gamedata\\a,c", ""],
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
  ])("selects the right servers: '%s'", (filter, expected) => {
    assert.strictEqual(select(filter).join(""), expected)
  })

  it.each([
    [255, "0123"],
    [0, "123"],
    [3, "023"],
    [5, "23"]
  ])("selects the servers of region %i", (region, expected) => {
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
    ["xab", "ab*", false],
    ["abc", "a*x*c", false],
    ["ab", "*b*b*", false],
    ["aXbX", "a*x", true],
    ["", "*", true],
    ["", "", true]
  ])("decides whether the text %j matches the pattern %j", (text, pattern, expected) => {
    assert.strictEqual(matchesPattern(text, pattern), expected)
  })
})

describe("MasterResponder", () => {
  it("sends the servers after the seed, sorted by address, in pages; the last page has an end mark", () => {
    const responder = new MasterResponder({ servers: many, repliesToUnverified: true })
    const all: Array<string> = []
    for (let seed = "0.0.0.0:0", pages = 1; ; pages++) {
      const page = decodePage(responder.respond(request("", { seed }), ...FROM, 0))
      all.push(...page.servers)
      if (page.complete) {
        assert.strictEqual(pages, 5)
        break
      }
      seed = page.servers.at(-1)!
    }
    const addresses = many.map(({ address }) => address)
    assert.deepStrictEqual(
      all,
      addresses.toSorted((a, b) => compareAddresses(a, b))
    )
    assert.notDeepEqual(addresses, all)
  })

  it("sends the end mark on another page if the last page of servers has no space for the end mark", () => {
    const servers = many.slice(0, 231)
    const responder = new MasterResponder({ servers, repliesToUnverified: true })
    const ask = (seed: string) => responder.respond(request("", { seed }), ...FROM, 0)
    const full = ask("0.0.0.0:0")
    assert.strictEqual(full[0]!.length, MAX_PAGE_BYTES)
    assert.deepInclude(decodePage(full), { complete: false })
    assert.deepInclude(decodePage(ask(decodePage(full).servers.at(-1)!)), { servers: [], complete: true })
    const one = new MasterResponder({ servers: servers.slice(1), repliesToUnverified: true })
    const last = one.respond(request(), ...FROM, 0)
    assert.strictEqual(last[0]!.length, MAX_PAGE_BYTES)
    assert.deepInclude(decodePage(last), { complete: true })
  })

  it("replies to requests of up to 1500 bytes with one page, and ignores larger requests", () => {
    const responder = new MasterResponder({ servers: many })
    const size = request().length
    const [page] = responder.respond(request("", { padding: 1500 - size }), ...FROM, 0)
    assert.strictEqual(page!.length, MAX_PAGE_BYTES)
    assert.deepStrictEqual(responder.respond(request("", { padding: 1501 - size }), ...FROM, 0), [])
  })

  it("caches the results of a filter separately for each region", () => {
    const responder = new MasterResponder({ servers: listed, repliesToUnverified: true })
    const count = (region: number) => decodePage(responder.respond(request("", { region }), ...FROM, 0)).servers.length
    // The master evaluates at most fifty filters at once, so most of these 200 replies come from the cache.
    for (let i = 0; i < 50; i++) assert.deepStrictEqual([255, 0, 3, 5].map(count), [4, 3, 3, 2])
  })

  it("uses the current list for each request, and sends the addresses after the seed, even if the seed is no longer in the list", () => {
    const servers = [...listed]
    let now: ReadonlyArray<ListedServer> = servers
    const responder = new MasterResponder({ servers: () => now, repliesToUnverified: true })
    const ask = (seed: string) => decodePage(responder.respond(request("", { seed }), ...FROM, 0)).servers
    assert.deepStrictEqual(ask("10.0.0.1:27016"), ["10.0.0.2:27015", "10.0.0.3:27020"])
    now = servers.filter((_, i) => i !== 1)
    assert.deepStrictEqual(ask("10.0.0.1:27016"), ["10.0.0.2:27015", "10.0.0.3:27020"])
    now = []
    assert.deepStrictEqual(decodePage(responder.respond(request(), ...FROM, 0)), {
      _tag: "MasterReply",
      servers: [],
      complete: true
    })
  })

  it("uses the previous list if the function that returns the list fails", () => {
    let give = (): unknown => listed
    const servers = () => give() as ReadonlyArray<ListedServer>
    const responder = new MasterResponder({ servers, repliesToUnverified: true })
    const count = () => decodePage(responder.respond(request(), ...FROM, 0)).servers.length
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

  it("sends an empty list if the first call of the function that returns the list fails", () => {
    const servers = () => assert.fail("no database")
    const responder = new MasterResponder({ servers, repliesToUnverified: true })
    assert.deepInclude(decodePage(responder.respond(request(), ...FROM, 0)), { servers: [], complete: true })
  })

  it("omits addresses that the protocol cannot contain, and lists each address once", () => {
    const servers = [
      "[::1]:27015",
      "example:1",
      "0.0.0.0:0",
      "10.0.0.9:1",
      "10.0.0.9:1",
      "10.0.0.300:1",
      "10.0.0.256:1",
      "10.0.0.9:65536",
      "10.0.0.9:70000"
    ]
    const responder = new MasterResponder({
      servers: servers.map((address) => ({ address })),
      repliesToUnverified: true
    })
    assert.deepStrictEqual(decodePage(responder.respond(request(), ...FROM, 0)).servers, ["10.0.0.9:1"])
  })

  it("if the address of a client is unverified, sends a page that is no larger than the request", () => {
    const responder = new MasterResponder({ servers: many })
    for (let padding = 0; padding <= MAX_PAGE_BYTES; padding += 5) {
      const datagram = request("", { padding })
      const [page, ...others] = responder.respond(datagram, ...FROM, 0)
      assert.isEmpty(others)
      assert.isAtMost(page!.length, datagram.length)
      // Each address has six bytes. The page contains as many addresses as the request has space for.
      if (datagram.length <= MAX_PAGE_BYTES) assert.isAbove(page!.length + 6, datagram.length)
      else assert.strictEqual(page!.length, MAX_PAGE_BYTES)
      assert.isAtLeast(decodePage([page!]).servers.length, 1)
    }
  })

  it("limits the rate of full pages, and sends a smaller page if the limit is exceeded", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 2 })
    const responder = new MasterResponder({ servers: many, repliesToUnverified: true, limit })
    const count = (now: number, address: string) =>
      decodePage(responder.respond(request(), address, 27_005, now)).servers.length
    const counts = (now: number, address: string = FROM[0]) => [1, 2, 3].map(() => count(now, address))
    assert.deepStrictEqual(counts(0), [231, 231, 1])
    assert.deepStrictEqual(counts(0, "192.0.2.2"), [231, 231, 1])
    assert.deepStrictEqual(counts(999), [1, 1, 1])
    assert.deepStrictEqual(counts(1000), [231, 1, 1])
    assert.deepStrictEqual(counts(60_000), [231, 231, 1])
  })

  it("does not count a page towards the limit if the page is no larger than its request", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 1 })
    const responder = new MasterResponder({ servers: many, repliesToUnverified: true, limit })
    const ask = (padding: number) => decodePage(responder.respond(request("", { padding }), ...FROM, 0)).servers.length
    const padding = MAX_PAGE_BYTES - request().length
    assert.deepStrictEqual([ask(padding), ask(padding), ask(0), ask(padding), ask(0)], [231, 231, 231, 231, 1])
  })

  it("evaluates a limited number of filters per second, and caches the results of recently used filters", () => {
    const responder = new MasterResponder({ servers: listed })
    const ask = (filter: string, now: number) => responder.respond(request(filter), ...FROM, now).length
    const answered = Array.from({ length: 200 }, (_, i) => ask(`\\map\\m${i}`, 0)).reduce((sum, one) => sum + one, 0)
    assert.strictEqual(answered, 50)
    assert.strictEqual(ask("\\map\\m49", 0), 1)
    assert.strictEqual(ask("\\map\\m199", 0), 0)
    assert.deepStrictEqual(
      [33, 34, 49].map((i) => ask(`\\map\\m${i}`, 0)),
      [0, 1, 1]
    )
    assert.strictEqual(ask("\\map\\m199", 1000), 1)
    assert.strictEqual(ask("\\linux\\1".repeat(33), 1000), 0)
    assert.strictEqual(ask(`\\nor\\40${"\\linux\\1".repeat(40)}`, 1000), 0)
    assert.strictEqual(ask("\\linux\\1".repeat(32), 1000), 1)
  })

  it("if the cache is full, drops the result that was used least recently", () => {
    const responder = new MasterResponder({ servers: listed })
    const ask = (i: number, now: number) => responder.respond(request(`\\map\\m${i}`), ...FROM, now).length
    // The limit allows fifty filters at first. The last sixteen results (34 to 49) are cached. Then result 34 is used again.
    for (let i = 0; i < 50; i++) ask(i, 0)
    ask(34, 0)
    // After 20 ms, the limit allows one more filter. The result of this filter replaces result 35.
    assert.strictEqual(ask(50, 20), 1)
    assert.deepStrictEqual([ask(34, 20), ask(35, 20), ask(36, 20)], [1, 0, 1])
  })

  it("replies to an invalid filter with an error text, if the request is at least as large as this reply", () => {
    const responder = new MasterResponder({ servers: listed })
    const refusal = responder.respond(request("\\gamedir", { padding: 100 }), ...FROM, 0)
    assert.match(Result.getOrThrow(PrintReply.decode(refusal[0]!)).text, /gamedir/)
    const padding = refusal[0]!.length - request("\\gamedir").length
    assert.deepStrictEqual(responder.respond(request("\\gamedir", { padding }), ...FROM, 0), refusal)
    assert.deepStrictEqual(responder.respond(request("\\gamedir", { padding: padding - 1 }), ...FROM, 0), [])
    assert.deepStrictEqual(responder.respond(request("\\gamedir"), ...FROM, 0), [])
  })

  it("does not throw for any datagram, and replies with at most as many bytes as the datagram contains", () => {
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
      const replies = responder.respond(datagram, ...FROM, i)
      assert.isAtMost(
        replies.reduce((sum, { length }) => sum + length, 0),
        datagram.length
      )
    }
    assert.deepStrictEqual(responder.respond(new Uint8Array(0), ...FROM, 0), [])
    assert.deepStrictEqual(responder.respond(request("", { padding: 3000 }), ...FROM, 0), [])
  })
})

describe("MasterResponder with the profile of Xash3D's masters", () => {
  const listed701 = many.slice(0, 701)
  const readAddresses = (replies: ReadonlyArray<Uint8Array>) =>
    replies.flatMap((reply) => decodePage([reply]).servers).toSorted()

  it("replies to any seed with all servers, and each datagram has an end mark", () => {
    const responder = new MasterResponder({ servers: listed701, profile: "xash3d" })
    for (const seed of ["0.0.0.0:0", "10.3.1.44:27004"]) {
      const replies = responder.respond(request("", { seed }), ...FROM, 0)
      assert.deepStrictEqual(
        replies.map(({ length }) => length),
        [510, 510, 510, 510, 510, 510, 510, 510, 234]
      )
      assert.isTrue(replies.every((reply) => decodePage([reply]).complete))
      assert.deepStrictEqual(readAddresses(replies), listed701.map(({ address }) => address).toSorted())
    }
  })

  it("sends an empty list if no server matches the filter, and otherwise the matching servers", () => {
    const responder = new MasterResponder({ servers: listed, profile: "xash3d" })
    const [empty, ...more] = responder.respond(request("\\map\\nowhere"), ...FROM, 0)
    assert.deepStrictEqual([decodePage([empty!]).servers, decodePage([empty!]).complete, more.length], [[], true, 0])
    assert.deepStrictEqual(readAddresses(responder.respond(request("\\map\\ctf_2fort"), ...FROM, 0)), [
      "10.0.0.2:27015"
    ])
    const full = new MasterResponder({ servers: many.slice(0, 166), profile: "xash3d" })
    assert.lengthOf(full.respond(request(), ...FROM, 0), 2)
  })

  it("omits the address 0.0.0.0:0, because clients would read this address as the end mark", () => {
    const responder = new MasterResponder({ servers: [{ address: "0.0.0.0:0" }, listed[0]!], profile: "xash3d" })
    const [only] = responder.respond(request(), ...FROM, 0)
    assert.strictEqual(only!.length, 6 + 2 * 6)
    assert.deepStrictEqual(decodePage([only!]).servers, [listed[0]!.address])
  })

  it("does not count a reply towards the limit if the reply is no larger than its request", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 1 })
    const responder = new MasterResponder({ servers: listed, profile: "xash3d", limit })
    const answers = (padding: number) =>
      Array.from({ length: 5 }, () => responder.respond(request("", { padding }), ...FROM, 0).length)
    const listBytes = responder.respond(request(), ...FROM, 0)[0]!.length
    assert.deepStrictEqual(
      [answers(100), answers(listBytes - request().length), answers(0)],
      [
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [0, 0, 0, 0, 0]
      ]
    )
  })

  it("limits the number of bytes per second", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 2, answerBytes: 1000 })
    const responder = new MasterResponder({ servers: listed701, profile: "xash3d", limit })
    const answers = Array.from({ length: 500 }, (_, i) => responder.respond(request(), ...FROM, i * 100).length > 0)
    // The requests arrive within 50 s. The budget is 2000 bytes at first, and grows by 1000 bytes per second. Therefore, 12 lists of 4314
    // bytes are allowed.
    assert.strictEqual(answers.filter(Boolean).length, 12)
  })
})
