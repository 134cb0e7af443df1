import { describe, expect, it } from "vitest"
import { Scrolling, frameLines } from "../../src/live/frame.ts"
import { plain, displayWidth } from "../../src/output/text.ts"
import type { ResultLine } from "../../src/scan/resultLine.ts"
import { Watched } from "../../src/scan/watched.ts"
import { type WatchState, watchFrame } from "../../src/scan/watchView.ts"

const server = (number: number, info: Record<string, unknown> = {}): ResultLine => ({
  address: `10.0.${number >> 8}.${number & 255}:27015`,
  ok: true,
  rttMs: 1000 - number,
  info: {
    name: `Server ${number}`,
    map: number % 2 === 0 ? "de_dust2" : "cp_badlands",
    players: number,
    maxPlayers: 64,
    ...info
  }
})

const gone = (number: number): ResultLine => ({
  address: server(number).address,
  ok: false,
  error: { _tag: "Timeout" }
})

const watch = (...lines: ReadonlyArray<ResultLine>): Watched => {
  const watched = new Watched()
  watched.set({ round: 1 })
  for (const line of lines) watched.take(line, 0)
  return watched
}

const addresses = ({ list }: Watched) => list.map(({ address }) => address.replace(/^10\.0\.0\.|:27015$/g, ""))

const state = (watched: Watched): WatchState => ({
  watched,
  intervalMs: 60_000,
  progress: undefined,
  nextAt: 42_000,
  warning: undefined,
  typing: undefined,
  selected: undefined,
  opened: undefined
})

const seen = (watched: Watched, columns = 100, rows = 10) => {
  const canvas = { columns, rows, palette: plain, scrolling: new Scrolling(), listsKeys: false }
  return frameLines(watchFrame(state(watched), canvas, 0), canvas)
}

describe("Watched", () => {
  it("sorts by any column, and sorts addresses numerically", () => {
    const watched = watch(server(2), server(10), server(1))
    expect(addresses(watched)).toEqual(["10", "2", "1"])
    watched.set({ sortKey: "address", descending: false })
    expect(addresses(watched)).toEqual(["1", "2", "10"])
    watched.set({ sortKey: "map" })
    expect(addresses(watched)).toEqual(["1", "2", "10"])
    watched.set({ sortKey: "ms", descending: true })
    expect(addresses(watched)).toEqual(["1", "2", "10"])
  })

  it("filters by words, and by expressions of --where", () => {
    const watched = watch(server(1), server(2), server(3))
    expect(watched.setFilter("BADLANDS server")).toBeUndefined()
    expect(addresses(watched)).toEqual(["3", "1"])
    expect(watched.setFilter('players > 1 && map == "cp_badlands"')).toBeUndefined()
    expect(addresses(watched)).toEqual(["3"])
    expect(watched.setFilter("players >")).toMatch(/a value is missing/)
    expect(addresses(watched)).toEqual(["3"])
  })

  it("reports changes, keeps servers that no longer reply, and hides servers that have never replied until the user requests them", () => {
    const watched = watch(server(1), server(2), server(3), gone(4))
    watched.set({ round: 2 })
    for (const line of [server(1), server(2, { map: "de_nuke", players: 9 }), gone(3), gone(4)]) watched.take(line, 5)
    expect(watched.counts).toEqual({ known: 4, alive: 2, changed: 2 })
    watched.set({ changedOnly: true })
    expect(watched.list).toMatchObject([
      { isAlive: true, change: "map de_dust2 → de_nuke, joined 2 → 9", changedAt: 5 },
      { isAlive: false, change: "gone", changedAt: 5 }
    ])
    watched.set({ changedOnly: false, silentToo: true })
    expect(addresses(watched)).toEqual(["2", "3", "1", "4"])
  })
})

describe("the selected server", () => {
  const renderFrame = (view: WatchState, scrolling: Scrolling, rows = 10) => {
    const canvas = { columns: 80, rows, palette: plain, scrolling, listsKeys: false }
    return frameLines(watchFrame(view, canvas, 0), canvas)
  }
  const marked = (lines: ReadonlyArray<string>) => lines.filter((line) => line.startsWith("▸ "))

  it("is marked and stays selected when the order changes, and the arrow keys select another server", () => {
    const watched = watch(server(1), server(2), server(3))
    const view = state(watched)
    const scrolling = new Scrolling()
    expect(marked(renderFrame(view, scrolling))).toEqual([expect.stringContaining(server(3).address)])
    scrolling.take("down")
    expect(scrolling.cursor).toBe(1)
    view.selected = watched.list[1]!.address
    watched.set({ sortKey: "address", descending: false })
    watched.take(server(0), 0)
    expect(marked(renderFrame(view, scrolling))).toEqual([expect.stringContaining(view.selected)])
    expect(scrolling.cursor).toBe(2)
  })

  it("is always in the visible rows", () => {
    const view = state(watch(...Array.from({ length: 100 }, (_, i) => server(i))))
    const scrolling = new Scrolling()
    for (const key of ["", "end", "up", "pageup", "home", "pagedown", "down"]) {
      renderFrame(view, scrolling)
      scrolling.take(key)
      view.selected = view.watched.list[scrolling.cursor!]!.address
      expect(marked(renderFrame(view, scrolling))).toEqual([expect.stringContaining(view.selected)])
    }
    // If the filter excludes the selected server, another server is selected.
    view.watched.setFilter("cp_badlands")
    expect(marked(renderFrame(view, scrolling))).toHaveLength(1)
  })

  it("can be opened; its details then replace the table, and can be scrolled", () => {
    const view = state(watch(server(1)))
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)
    view.opened = { address: server(1).address, queriedAt: -5000, card: () => lines }
    const scrolling = new Scrolling()
    const first = renderFrame(view, scrolling)
    expect(first[0]).toMatch(/^10\.0\.0\.1:27015 +queried 0:05 ago$/)
    expect(first[2]).toBe("line 0")
    expect(first.at(-1)).toMatch(/^q quit {2}\? keys {2}Esc back {2}n query now {2}↑↓ scroll +1–7 of 30$/)
    scrolling.take("pagedown")
    expect(renderFrame(view, scrolling)[2]).toBe("line 7")
    view.opened = { ...view.opened, queriedAt: undefined }
    expect(renderFrame(view, scrolling)[0]).toMatch(/querying$/)
  })
})

describe("the table of a watched scan", () => {
  it("fits into a terminal of any size", () => {
    const watched = watch(server(1), server(2, { name: "宽".repeat(60), map: "x".repeat(70) }))
    for (const columns of [46, 55, 80, 100, 200]) {
      const lines = seen(watched, columns)
      expect(lines).toHaveLength(10)
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    }
    expect(seen(watched, 80)[2]).toMatch(/^ {2}address +ms +players ▼ +name +changed$/)
    expect(seen(watched, 100)[2]).toMatch(/^ {2}address +ms +players ▼ +map +name +changed$/)
  })

  it("removes control characters from text of servers", () => {
    const lines = seen(watch(server(1, { name: "\u001b[2Jevil\u202e", map: "a\nb" }))).join("\n")
    expect(lines).not.toMatch(/\u001b|\u202e|a\nb/)
    expect(lines).toContain("evil")
  })

  it("processes only the visible rows of a long list", () => {
    const looks = new Set<string>()
    const watched = watch(...Array.from({ length: 10_000 }, (_, i) => server(i)))
    const list = watched.list.map((one) => ({
      ...one,
      get change() {
        looks.add(one.address)
        return ""
      }
    }))
    Object.defineProperty(watched, "list", { value: list })
    expect(seen(watched, 100, 24)).toHaveLength(24)
    expect(looks.size).toBe(24 - 4)
  })
})
