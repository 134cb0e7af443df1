/** Tests the reader of Steam's player counts. The list of servers arrives in pieces, and a piece may end at any character. */
import { SteamCounts } from "@sourcewire/verdict"
import { describe, expect, it } from "vitest"
import { EntryCutter } from "../../src/verdict/steamList.ts"

const cut = (text: string, size: number) => {
  const cutter = new EntryCutter()
  const entries: Array<unknown> = []
  for (let at = 0; at < text.length; at += size)
    for (const entry of cutter.push(text.slice(at, at + size))) entries.push(JSON.parse(entry))
  return { entries, hasList: cutter.hasList, isWhole: cutter.isWhole }
}

const servers = [
  { addr: "192.0.2.1:27015", name: 'a "quoted\\" {name}, [with] everything: "servers":[', players: 5, secure: true },
  { addr: "192.0.2.2:27015", players: 0, bots: 3, more: { deep: [{ er: 1 }] } },
  {},
  { addr: "192.0.2.3:27015", players: 1e9 }
]

describe("EntryCutter", () => {
  const reply = JSON.stringify({ other: { servers: [{ addr: "no" }] }, response: { total: 4, servers }, servers: [{}] })

  it.each([1, 2, 3, 7, 64, 10_000])("returns all entries if a reply arrives in pieces of %d characters", (size) => {
    for (const text of [reply, JSON.stringify(JSON.parse(reply), undefined, 2)]) {
      expect(cut(text, size)).toEqual({ entries: servers, hasList: true, isWhole: true })
    }
  })

  it("detects a reply without a list, and a truncated reply", () => {
    expect(cut('{"response":{}}', 4)).toEqual({ entries: [], hasList: false, isWhole: true })
    expect(cut("[]", 4)).toMatchObject({ hasList: false })
    expect(cut(reply.slice(0, -20), 4)).toMatchObject({ hasList: true, isWhole: false })
  })
})

it("SteamCounts ignores invalid entries, and reduces very large counts to a maximum", () => {
  const counts = new SteamCounts()
  for (const entry of [...servers, undefined, null, 1, { addr: 1, players: 2 }]) counts.add(entry)
  expect(counts.size).toBe(3)
  expect(counts.get("192.0.2.1:27015")).toEqual({ players: 5, bots: 0, secure: true })
  expect(counts.get("192.0.2.2:27015")).toEqual({ players: 0, bots: 3, secure: false })
  expect(counts.get("192.0.2.3:27015")).toEqual({ players: 65_535, bots: 0, secure: false })
  expect(counts.get("192.0.2.4:27015")).toBeUndefined()
})
