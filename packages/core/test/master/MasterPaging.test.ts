import { describe, expect, it } from "@effect/vitest"
import type { MasterReply } from "@sourcewire/protocol/wire"
import { FIRST_SEED, MasterPaging } from "../../src/master/MasterPaging.ts"
import { seededRandom } from "../../src/testing/Testing.ts"

const limits = { maxServers: 1000, maxPages: 100 }
const server = (n: number): string => `192.0.2.${n}:27015`
const page = (numbers: ReadonlyArray<number>, complete = false, padding?: string): MasterReply => ({
  _tag: "MasterReply",
  servers: numbers.map(server),
  complete,
  ...(padding === undefined ? {} : { padding })
})

describe("MasterPaging", () => {
  it("uses the last address of each page as the seed of the next page, until a page has the end mark", () => {
    const paging = new MasterPaging(limits)
    expect(paging.seed).toBe(FIRST_SEED)
    expect(paging.take(page([1, 2]))).toEqual({
      number: 1,
      seed: FIRST_SEED,
      servers: [server(1), server(2)],
      duplicates: 0
    })
    expect(paging.seed).toBe(server(2))
    expect(paging.take(page([3], true))).toEqual({
      number: 2,
      seed: server(2),
      servers: [server(3)],
      duplicates: 0,
      end: "complete"
    })
  })

  it("counts a page as repeated if its last address equals the seed of the first page", () => {
    const paging = new MasterPaging(limits, server(9))
    expect(paging.isRepeat(page([5, 7, 9]))).toBe(true)
    expect(paging.isRepeat(page([5, 9, 7]))).toBe(false)
    expect(paging.isRepeat(page([]))).toBe(false)
    expect(paging.take(page([1]))).not.toHaveProperty("end")
    paging.take(page([]))
    expect(paging.seed).toBe(server(1))
  })

  it("returns each address once, and counts the duplicates", () => {
    const paging = new MasterPaging(limits)
    paging.take(page([1, 2, 2]))
    expect(paging.take(page([2, 3, 1, 4]))).toMatchObject({ servers: [server(3), server(4)], duplicates: 2 })
  })

  it.each([
    { what: "a second copy of a page", pages: [page([1, 2]), page([1, 2])], end: "loop" },
    {
      what: "a page with the last address of an earlier page",
      pages: [page([1, 2]), page([3, 4]), page([5, 2])],
      end: "loop"
    },
    { what: "a page without new addresses", pages: [page([1, 2, 3]), page([2, 1])], end: "loop" },
    { what: "a page without addresses and without an end mark", pages: [page([1]), page([])], end: "empty" },
    { what: "a page with the end mark only", pages: [page([], true)], end: "complete" },
    { what: "a second copy of a page with the end mark", pages: [page([1, 2]), page([1, 2], true)], end: "complete" }
  ])("ends with the reason `$end` after $what", ({ end, pages }) => {
    const paging = new MasterPaging(limits)
    const ends = pages.map((one) => paging.take(one).end)
    expect(ends.slice(0, -1).every((one) => one === undefined)).toBe(true)
    expect(ends.at(-1)).toBe(end)
  })

  it("ends with the reason `unconfirmed` if a page has the end mark, but a datagram may be missing", () => {
    expect(new MasterPaging(limits).take(page([1], true)).end).toBe("complete")
    expect(new MasterPaging(limits).take(page([1], true), false).end).toBe("unconfirmed")
    expect(new MasterPaging(limits).take(page([1]), false).end).toBeUndefined()
  })

  it("reports whether the master sends its list page by page, and how many more servers the limit allows", () => {
    const paging = new MasterPaging({ maxServers: 3, maxPages: 9 })
    expect([paging.isPaged, paging.room]).toEqual([false, 3])
    paging.take(page([1, 2]))
    expect([paging.isPaged, paging.room]).toEqual([true, 1])
    const listed = new MasterPaging({ maxServers: 3, maxPages: 9 })
    listed.take(page([1, 2], true))
    expect(listed.isPaged).toBe(false)
  })

  it("ends at the maximum number of servers or pages", () => {
    const few = new MasterPaging({ maxServers: 3, maxPages: 100 })
    few.take(page([1, 2]))
    expect(few.take(page([3, 4, 5]))).toMatchObject({ servers: [server(3)], duplicates: 0, end: "limit" })
    // If a page contains exactly as many servers as the limit allows, the list ends with this page.
    expect(new MasterPaging({ maxServers: 3, maxPages: 100 }).take(page([1, 2, 3])).end).toBe("limit")
    expect(new MasterPaging({ maxServers: 3, maxPages: 100 }).take(page([1, 2, 3], true)).end).toBe("complete")
    const short = new MasterPaging({ maxServers: 1000, maxPages: 2 })
    expect(short.take(page([1])).end).toBeUndefined()
    expect(short.take(page([2])).end).toBe("limit")
  })

  it("recognizes a repetition of any earlier page", () => {
    const paging = new MasterPaging(limits)
    expect(paging.isRepeat(page([1, 2]))).toBe(false)
    paging.take(page([1, 2]))
    paging.take(page([3, 4]))
    expect(paging.isRepeat(page([1, 2]))).toBe(true)
    expect(paging.isRepeat(page([3, 4]))).toBe(true)
    expect(paging.isRepeat(page([5, 6]))).toBe(false)
    expect(paging.isRepeat(page([1, 2], true))).toBe(false)
    expect(paging.isRepeat(page([]))).toBe(false)
  })

  it("counts a timeout as the end of the list if the previous page had padding, but not if it had no padding", () => {
    const padded = new MasterPaging(limits)
    expect(padded.mayEndInSilence).toBe(false)
    padded.take(page([1], false, "0000"))
    expect(padded.mayEndInSilence).toBe(true)
    expect(padded.silence()).toEqual({ number: 2, seed: server(1), servers: [], duplicates: 0, end: "silence" })
    const plain = new MasterPaging(limits)
    plain.take(page([1]))
    expect(plain.mayEndInSilence).toBe(false)
  })

  it("ends even if the pages are random, and returns each address once", () => {
    const random = seededRandom(5)
    for (let run = 0; run < 200; run++) {
      const paging = new MasterPaging({ maxServers: 200, maxPages: 50 })
      const all: Array<string> = []
      const sent = new Set<string>()
      for (let ended = false, pages = 0; !ended; pages++) {
        expect(pages).toBeLessThan(50)
        const numbers = Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * 256))
        const reply = page(numbers, random() < 0.02)
        for (const address of reply.servers) sent.add(address)
        const merged = paging.take(reply)
        all.push(...merged.servers)
        ended = merged.end !== undefined
      }
      expect(new Set(all).size).toBe(all.length)
      expect(all.length).toBe(Math.min(200, sent.size))
    }
  })
})
