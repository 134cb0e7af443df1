/**
 * Tests the list of targets. When targets change, the monitor computes the new list from the previous list. The tests compare this new
 * list with a list that is computed from all targets.
 */
import { describe, expect, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { SORTS } from "../src/http/Api.ts"
import { Listing } from "../src/http/listing.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const random = seededRandom(3)
const group = [...planFor([{ name: "all", targets: ["192.0.2.1:1"] }]).targets.values()][0]!

const target = (id: number): Watched => {
  const host = `192.0.2.${id % 250}`
  return new Watched(id, `${host}:${id}`, { host, port: id }, group, unknown())
}

const answer = (one: Watched): void => {
  const last = lastAnswer(Math.floor(random() * 1e6))
  const players = Math.floor(random() * 32)
  one.known.state = random() < 0.8 ? "up" : "down"
  one.known.stateAt = Math.floor(random() * 1e6)
  one.known.last = { ...last, summary: { ...last.summary, players, name: `Server ${Math.floor(random() * 1000)}` } }
}

describe("the list of servers", () => {
  it.each(SORTS.flatMap((sort) => [[sort, "asc"] as const, [sort, "desc"] as const]))(
    "is sorted by %s (%s), even after servers were changed, added and removed",
    (sort, order) => {
      const targets = new Map(Array.from({ length: 300 }, (_, i) => [i + 1, target(i + 1)]))
      const listing = new Listing()
      for (let second = 0; second < 5; second++) {
        for (const one of targets.values()) if (random() < 0.1) answer(one)
        // One target is removed, another target is added, and a third target is replaced by a new target with the same number.
        if (second > 2) targets.delete(second)
        if (second > 2) targets.set(300 + second, target(300 + second))
        targets.set(100, target(100))
        const expected = new Listing().of(targets, { sort, order }, 0)
        expect(listing.of(targets, { sort, order }, second * 1000)).toEqual(expected)
        const some = { sort, order, q: "server 1" }
        expect(listing.of(targets, some, second * 1000)).toEqual(new Listing().of(targets, some, 0))
      }
    }
  )

  it("is cached for one second for each of the sixteen most recent combinations of filter and order", () => {
    const targets = new Map([[1, target(1)]])
    const listing = new Listing()
    const numbers = (q: string, nowMs: number) => listing.of(targets, { q }, nowMs).map(({ id }) => id)
    expect(numbers("192", 0)).toEqual([1])
    targets.set(2, target(2))
    expect(numbers("192", 999)).toEqual([1])
    expect(numbers("192", 1000)).toEqual([1, 2])
    targets.set(3, target(3))
    for (let query = 0; query < 15; query++) numbers(`192.0.2.${query}`, 1001)
    expect(numbers("192", 1002)).toEqual([1, 2])
    numbers("192.0.2.15", 1003)
    expect(numbers("192", 1004)).toEqual([1, 2, 3])
  })

  it("can be sorted by problems (unmuted down servers are first), and by players (down servers are after the up servers)", () => {
    const server = (id: number, state: "up" | "down" | "unknown", players?: number, stateAt?: number): Watched => {
      const one = target(id)
      const last = lastAnswer(1)
      Object.assign(one.known, { state, stateAt })
      if (players !== undefined) one.known.last = { ...last, summary: { ...last.summary, players } }
      return one
    }
    const servers = [
      server(1, "up", 3),
      server(2, "down", 30, 1000),
      server(3, "up", 20),
      server(4, "down", 5, 2000),
      server(5, "unknown"),
      server(6, "down", 31, 3000)
    ]
    const targets = new Map(servers.map((one) => [one.id, one]))
    const isMuted = ({ id }: Watched): boolean => id === 6
    const order = (sort: "players" | "problems", order: "asc" | "desc") =>
      new Listing().of(targets, { sort, order }, 0, { isMuted }).map(({ id }) => id)
    expect(order("problems", "desc")).toEqual([4, 2, 3, 1, 5, 6])
    expect(order("players", "desc")).toEqual([3, 1, 2, 4, 5, 6])
    expect(order("players", "asc")).toEqual([1, 3, 2, 4, 5, 6])
  })

  it("can be filtered and sorted by the strength of the findings; servers with equal strength are sorted by the number of findings", () => {
    const strongest = new Map([
      [2, { kind: "no-handshake", strength: "weak", count: 3 }],
      [3, { kind: "redirect", strength: "strong", count: 1 }],
      [4, { kind: "shared-names", strength: "medium", count: 1 }],
      [5, { kind: "copied-players", strength: "strong", count: 2 }]
    ] as const)
    const targets = new Map([1, 2, 3, 4, 5].map((id) => [id, target(id)]))
    const findings = ({ id }: Watched) => strongest.get(id as 2)
    const listing = new Listing()
    const list = (query: Parameters<Listing["of"]>[1]) =>
      listing.of(targets, query, 0, { findings }).map(({ id }) => id)
    expect(list({ findings: "weak" })).toEqual([2, 3, 4, 5])
    expect(list({ findings: "medium" })).toEqual([3, 4, 5])
    expect(list({ findings: "strong" })).toEqual([3, 5])
    expect(list({})).toEqual([1, 2, 3, 4, 5])
    expect(list({ sort: "findings", order: "desc" })).toEqual([5, 3, 4, 2, 1])
    expect(list({ sort: "findings", order: "asc" })).toEqual([2, 4, 3, 5, 1])
  })

  it("can be limited to the server with a given address, even if the name of another server equals this address", () => {
    const imposter = target(1)
    const last = lastAnswer(1)
    imposter.known.last = { ...last, summary: { ...last.summary, name: target(2).address } }
    const targets = new Map([imposter, target(2), target(12)].map((one) => [one.id, one]))
    const listing = new Listing()
    expect(listing.of(targets, { q: "192.0.2.2:2" }, 0).map(({ id }) => id)).toEqual([1, 2])
    expect(listing.of(targets, { address: "192.0.2.2:2" }, 0).map(({ id }) => id)).toEqual([2])
    expect(listing.of(targets, { address: "92.0.2.2:2" }, 0)).toEqual([])
  })
})
