/** Unit tests of the small parts of a scan. */
import { describe, expect, it } from "@effect/vitest"
import { routeKey, routeKeyOfText } from "../../src/address/ip.ts"
import { keyAddress } from "../../src/address/ipv4.ts"
import { QueueEntry } from "../../src/engine/Dispatcher.ts"
import { CongestionWindow } from "../../src/scan/congestionWindow.ts"
import { RangeSet } from "../../src/scan/rangeSet.ts"
import { NumberTable, Dedup } from "../../src/scan/dedup.ts"
import { HostLimits, type Limited } from "../../src/scan/hostLimits.ts"
import { NONE, TargetSource } from "../../src/scan/targetSource.ts"
import * as Address from "../../src/address/Address.ts"
import * as IpRanges from "../../src/address/IpRanges.ts"
import { seededRandom } from "../../src/testing/Testing.ts"
import * as Result from "effect/Result"

describe("the fast parser of addresses", () => {
  it.each(["1.2.3.4:27015", "0.0.0.0:1", "255.255.255.255:65535", "127.0.0.1"])(
    "reads %s with the same result as the full parser",
    (text) => {
      const { host, port } = Result.getOrThrow(Address.parse(text))
      expect(routeKeyOfText(text, Address.DEFAULT_PORT)).toBe(routeKey(host, port))
    }
  )

  it.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "01.2.3.4",
    "1.2.3.4:",
    "1.2.3.4:0",
    "1.2.3.4:65536",
    "1.2.3.4:00",
    "1.2.3.4:080",
    "1.2.3.4:65536000000000000000",
    "1.2.3.4:5:6",
    "1:2.3.4",
    ".1.2.3",
    "1.2.3.",
    "1.2.3.4.",
    "300.2.3.4",
    "1..3.4",
    "::1",
    " 1.2.3.4",
    "1.2.3.4:1x",
    "a.b:1"
  ])("returns -1 for %j, so that the full parser reads this text", (text) =>
    expect(routeKeyOfText(text, Address.DEFAULT_PORT)).toBe(-1)
  )
})

it.each(["1.2.3.4", "255.255.255.255", "0.0.0.0", "2001:db8::1", "fe80::1%eth0"])(
  "the address %s can be restored from its key",
  (address) => expect(keyAddress(routeKey(address, 27_015))).toBe(address)
)

describe("Dedup", () => {
  it.each([undefined, 0, 1, 1000, 100_000, 5_000_000])(
    "recognizes every duplicate in a long list (expected number of targets: %s)",
    (length) => {
      const random = seededRandom(3)
      const keys = Array.from({ length: 100_000 }, () => Math.floor(random() * 2 ** 48))
      const dedup = new Dedup(length)
      const expected = new Set<number>()
      for (const key of keys) {
        expect(dedup.add(key)).toBe(!expected.has(key))
        expected.add(key)
      }
      expect(keys.every((key) => !dedup.add(key))).toBe(true)
      expect(dedup.add("::1 27015")).toBe(true)
      expect(dedup.add("::1 27015")).toBe(false)
    }
  )

  it("recognizes duplicates after a million IPv4 targets and many IPv6 targets", () => {
    const dedup = new Dedup()
    for (let key = 1; key <= 2 ** 20 + 10; key++) dedup.add(key)
    for (let i = 0; i <= 2 ** 17; i++) dedup.add(`2001:db8::${i.toString(16)} 27015`)
    expect([dedup.add(1), dedup.add(2 ** 20 + 5)]).toEqual([false, false])
    expect([dedup.add("2001:db8::0 27015"), dedup.add("2001:db8::20000 27015")]).toEqual([false, false])
    expect(dedup.add("2001:db8::20001 27015")).toBe(true)
  })

  it.each([undefined, 1, 200_000, 500_000])(
    "uses a table with a capacity of 2^20 numbers, independently of the expected number of targets: %s",
    (expected) => {
      const table = new NumberTable(expected)
      for (let value = 1; value <= 2 ** 20; value++) table.add(value)
      expect(table.isFull).toBe(false)
      table.add(2 ** 20 + 1)
      expect(table.isFull).toBe(true)
    }
  )
})

describe("HostLimits", () => {
  const target = (address: string, port: number): Limited => {
    const request: Limited = {
      key: routeKey(address, port),
      onAdmitted: () => undefined,
      onClosed: () => undefined,
      get entry() {
        return turn
      }
    }
    const turn = new QueueEntry(request)
    return request
  }

  it("delay the third target at an address until one of the first two targets is done (limit: two per address)", () => {
    const limits = new HostLimits(2, 100, 10)
    const [a, b, c] = [1, 2, 3].map((port) => target("10.0.0.1", port)) as [Limited, Limited, Limited]
    expect([a, b, c].map((one) => limits.admit(one))).toEqual([true, true, false])
    expect(limits.admit(target("10.0.0.2", 1))).toBe(true)
    expect(limits.release(a)).toBe(c)
    expect(limits.release(b)).toBeUndefined()
    expect(limits.release(c)).toBeUndefined()
  })

  it.each([
    ["10.0.0.%", "10.0.1.1"],
    ["2001:db8:1::%", "2001:db8:2::1"]
  ])(
    "delay the fourth target in a network until one of the first three targets is done (limit: three per network): %s",
    (pattern, elsewhere) => {
      const limits = new HostLimits(100, 3, 10)
      const inside = [1, 2, 3, 4].map((n) => target(pattern.replace("%", String(n)), 27_015))
      expect(inside.map((one) => limits.admit(one))).toEqual([true, true, true, false])
      expect(limits.admit(target(elsewhere, 27_015))).toBe(true)
      expect(limits.release(inside[0]!)).toBe(inside[3])
    }
  )
})

describe("CongestionWindow", () => {
  const epoch = (window: CongestionWindow, loss: number) => {
    for (let i = 0; i < 100; i++) window.onReply(i < 100 * loss)
    window.onTick()
  }

  it("grows at each tick even if no reply arrives, and grows faster if replies arrive", () => {
    const [silent, replying] = [new CongestionWindow(1000), new CongestionWindow(1000)]
    expect(silent.size).toBeLessThan(100)
    for (let i = 0; i < 3; i++) {
      silent.onTick()
      epoch(replying, 0)
    }
    expect(silent.size).toBeLessThan(250)
    expect(replying.size).toBeGreaterThan(600)
    for (let i = 0; i < 5; i++) silent.onTick()
    expect(silent.size).toBe(1000)
  })

  it("is halved when the system drops received datagrams, and then grows more slowly than before", () => {
    const window = new CongestionWindow(1000)
    for (let i = 0; i < 10; i++) epoch(window, 0)
    window.onDropped()
    expect(window.size).toBe(500)
    epoch(window, 0)
    expect(window.size).toBeGreaterThan(500)
    expect(window.size).toBeLessThan(600)
  })

  it("shrinks further if a smaller window reduces packet loss", () => {
    const window = new CongestionWindow(1000)
    for (let i = 0; i < 10; i++) epoch(window, 0)
    epoch(window, 0.4)
    expect(window.size).toBe(750)
    epoch(window, 0.2)
    expect(window.size).toBeLessThan(600)
  })

  it("does not stay small if a smaller window does not reduce packet loss", () => {
    const window = new CongestionWindow(1000)
    for (let i = 0; i < 60; i++) epoch(window, 0.3)
    expect(window.size).toBe(1000)
  })

  it("never shrinks to 0", () => {
    const window = new CongestionWindow(1000)
    for (let i = 0; i < 100; i++) window.onDropped()
    expect(window.size).toBeGreaterThan(8)
    expect(new CongestionWindow(3).size).toBe(3)
  })
})

describe("ranges", () => {
  const parsed = (text: string) => Result.getOrThrow(IpRanges.parse(text))

  it.each(["10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0", "host/8", "::1/8/8", "fe80::1%eth0", "1.2.3.4/-1"])(
    "are rejected if they are invalid: %s",
    (text) => expect(Result.isFailure(IpRanges.parse(text))).toBe(true)
  )

  it("contain the addresses and the smaller ranges with the same prefix", () => {
    expect(IpRanges.contains(parsed("10.0.0.0/8"), "10.255.255.255")).toBe(true)
    expect(IpRanges.contains(parsed("10.0.0.0/8"), "11.0.0.0")).toBe(false)
    expect(IpRanges.contains(parsed("0.0.0.0/0"), "255.1.2.3")).toBe(true)
    expect(IpRanges.contains(parsed("fd00::/8"), "fdff::1")).toBe(true)
    expect(IpRanges.contains(parsed("fd00::/8"), "fe00::1")).toBe(false)
    expect(IpRanges.contains(parsed("::/0"), "1.2.3.4")).toBe(false)
    expect(IpRanges.covers(parsed("127.0.0.0/8"), parsed("127.3.0.0/16"))).toBe(true)
    expect(IpRanges.covers(parsed("127.3.0.0/16"), parsed("127.0.0.0/8"))).toBe(false)
  })

  it("list all their addresses, and consecutive addresses are in different networks if a range has several networks", () => {
    const range = parsed("10.0.0.0/22") as IpRanges.IpRange & { readonly family: 4 }
    const addresses = [...IpRanges.listAddresses(range)]
    expect(addresses.slice(0, 5)).toEqual(["10.0.0.0", "10.0.1.0", "10.0.2.0", "10.0.3.0", "10.0.0.1"])
    expect(new Set(addresses).size).toBe(1024)
    expect(addresses.every((address) => IpRanges.contains(range, address))).toBe(true)
  })

  it("can be combined in a set, which contains the addresses of all its ranges", () => {
    const set = new RangeSet(["10.0.0.0/8", "10.1.0.0/16", "192.168.1.0/24", "11.0.0.0/8", "fd00::/8"].map(parsed))
    const has = (address: string) => {
      const key = routeKey(address, 1)
      return set.has(typeof key === "number" ? Math.floor(key / 65_536) : address)
    }
    expect(["10.0.0.0", "11.255.255.255", "192.168.1.255", "fd12::1"].map(has)).toEqual([true, true, true, true])
    expect(["9.255.255.255", "12.0.0.0", "192.168.2.0", "fe80::1"].map(has)).toEqual([false, false, false, false])
  })
})

describe("TargetSource", () => {
  const nothing = () => undefined

  it("reads one target per call, and closes the iterator when the source is closed", () => {
    let given = 0
    let closed = false
    function* endless() {
      try {
        for (;;) yield `10.0.0.${++given}`
      } finally {
        closed = true
      }
    }
    const source = new TargetSource(endless(), nothing, nothing)
    expect([source.next(), source.next()]).toEqual(["10.0.0.1", "10.0.0.2"])
    source.close()
    expect([given, closed, source.next(), source.isOver]).toEqual([2, true, NONE, true])
  })

  it("calls back when an asynchronous source has a target", async () => {
    async function* two() {
      yield "a"
      yield "b"
    }
    let wake: () => void = nothing
    const source = new TargetSource(two(), () => wake(), nothing)
    const dedup: Array<unknown> = []
    while (!source.isOver) {
      const next = source.next()
      if (next === NONE) await new Promise<void>((resolve) => (wake = resolve))
      else dedup.push(next)
    }
    expect(dedup).toEqual(["a", "b"])
  })
})
