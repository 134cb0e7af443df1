import { describe, expect, it } from "vitest"
import type { StateTime } from "../src/history/StateTime.ts"
import type { Uptimes } from "../src/history/uptime.ts"
import { formatPercent, renderBadge } from "../src/http/badge.ts"
import type { State } from "../src/watch/Watched.ts"
import { ADDRESS, type Given, makeWatched } from "./watchedTarget.ts"

const COLOURS = { green: "#2e7d32", red: "#b3261e", grey: "#5f6368", brown: "#8a6100" }

const watched = (state: State, info: Given["info"], names: Readonly<Record<string, string>> = {}) =>
  makeWatched({ state, info, names })

/** Returns the text of the whole badge, and the colour of the badge's right half. */
const read = (svg: string): readonly [label: string | undefined, colour: string | undefined] => [
  /<title>(.*?)<\/title>/.exec(svg)?.[1],
  /fill="(#[0-9a-f]{6})"\/><g/.exec(svg)?.[1]
]

const uptimes = (time: Partial<StateTime>): Uptimes => {
  const uptime = { from: 0, to: 1, up: 0, down: 0, muted: 0, ...time }
  const none = { from: 0, to: 1, up: 0, down: 0, muted: 0 }
  return { "24h": none, "7d": none, "30d": uptime, "90d": none }
}

describe("a badge", () => {
  it("shows the players and the map of a server that is up", () => {
    const badge = renderBadge(watched("up", { name: "A server", players: 3, maxPlayers: 16, map: "de_nuke" }))
    expect(read(badge)).toEqual(["A server: 3/16 de_nuke", COLOURS.green])
  })

  it.each([
    ["down", COLOURS.red],
    ["unknown", COLOURS.grey]
  ] as const)("shows the state if the server is %s", (state, colour) => {
    expect(read(renderBadge(watched(state, undefined)))).toEqual([`${ADDRESS}: ${state}`, colour])
  })

  it("shows no players if the server is down", () => {
    expect(read(renderBadge(watched("down", { name: "A server" })))).toEqual(["A server: down", COLOURS.red])
  })

  it("is brown while the server is muted, and shows `maintenance` if the muted server is down", () => {
    const up = watched("up", { name: "A server", players: 3, maxPlayers: 16, map: "de_nuke" })
    expect(read(renderBadge(up, { isMuted: true }))).toEqual(["A server: 3/16 de_nuke", COLOURS.brown])
    expect(read(renderBadge(watched("down", undefined), { isMuted: true }))).toEqual([
      `${ADDRESS}: maintenance`,
      COLOURS.brown
    ])
  })

  it("shows the configured name instead of the name that the server reports", () => {
    const badge = renderBadge(watched("down", { name: "A server" }, { [ADDRESS]: "Match server" }))
    expect(read(badge)[0]).toBe("Match server: down")
  })

  it("shortens names and maps of more than 40 characters", () => {
    const badge = (length: number) =>
      read(
        renderBadge(watched("up", { name: "😀".repeat(length), players: 1, maxPlayers: 2, map: "m".repeat(length) }))
      )
    expect(badge(40)[0]).toBe(`${"😀".repeat(40)}: 1/2 ${"m".repeat(40)}`)
    expect(badge(41)[0]).toBe(`${"😀".repeat(39)}…: 1/2 ${"m".repeat(39)}…`)
  })

  it("is as wide as both of its halves together", () => {
    const svg = renderBadge(watched("down", { name: "0123456789" }))
    // The texts have 10 and 4 characters. Each character is 6.6 pixels wide, and each half is 12 pixels wider than its text.
    expect(svg).toContain('width="116" height="20"')
    expect(svg).toContain('<path d="M78 0h35')
    expect([...svg.matchAll(/<text x="(\d+)".*?textLength="(\d+)"/g)].map(([, x, length]) => [x, length])).toEqual([
      ["6", "66"],
      ["84", "26"]
    ])
  })
})

describe("a badge with an uptime", () => {
  it.each([
    [{ up: 99, down: 1 }, "99.00 % up, 30d", COLOURS.green],
    [{ up: 98_999, down: 1001 }, "98.99 % up, 30d", COLOURS.brown],
    [{ up: 9, down: 1 }, "90.00 % up, 30d", COLOURS.brown],
    [{ up: 89, down: 11 }, "89.00 % up, 30d", COLOURS.red],
    [{ up: 1, down: 0, muted: 9 }, "100.00 % up, 30d", COLOURS.green],
    [{ muted: 9 }, "not monitored", COLOURS.grey]
  ])("if the time in each state is %o, the badge shows '%s'", (time, text, colour) => {
    const badge = renderBadge(watched("down", undefined), { uptime: ["30d", uptimes(time)] })
    expect(read(badge)).toEqual([`${ADDRESS}: ${text}`, colour])
  })

  it("always rounds the uptime down", () => {
    expect(formatPercent(0.999_999)).toBe("99.99 %")
    expect(formatPercent(1)).toBe("100.00 %")
    expect(formatPercent(0)).toBe("0.00 %")
  })
})
