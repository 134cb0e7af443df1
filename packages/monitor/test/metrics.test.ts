import { describe, expect, it } from "vitest"
import { formatLabels, formatLines, locationMetrics, metric, probeMetrics, serverMetrics } from "../src/http/metrics.ts"
import { ADDRESS, type Given, makeWatched } from "./watchedTarget.ts"

const LABELS = `target="${ADDRESS}",group="eu"`

/** The lines of a target's metrics, without comments. */
const samples = (given: Given, names = true): ReadonlyArray<string> =>
  [...serverMetrics([makeWatched(given)], names)]
    .join("")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))

const info = { name: 'A "server"', map: "de_nuke", players: 3, bots: 1, maxPlayers: 16, version: "1.2", appId: 240 }

describe("the metrics of a server", () => {
  it("contain its state, its number of players, its round-trip time and its facts", () => {
    expect(samples({ state: "up", info, reply: { at: 5000, rttMs: 20 }, labels: { region: "north" } })).toEqual([
      `sourcewire_server_up{${LABELS},region="north"} 1`,
      `sourcewire_server_players{${LABELS},region="north"} 3`,
      `sourcewire_server_bots{${LABELS},region="north"} 1`,
      `sourcewire_server_max_players{${LABELS},region="north"} 16`,
      `sourcewire_server_round_trip_seconds{${LABELS},region="north"} 0.02`,
      `sourcewire_server_answered_timestamp_seconds{${LABELS},region="north"} 5`,
      `sourcewire_server_info{${LABELS},region="north",name="A \\"server\\"",map="de_nuke",game="css",version="1.2"} 1`
    ])
  })

  it("contain no number of players if the server is down", () => {
    expect(samples({ state: "down", info, reply: { at: 5000 } })).toEqual([
      `sourcewire_server_up{${LABELS}} 0`,
      `sourcewire_server_answered_timestamp_seconds{${LABELS}} 5`
    ])
  })

  it("are empty if the server was never queried", () => {
    expect(samples({})).toEqual([])
  })

  it("contain no ambiguous round-trip time", () => {
    const lines = samples({ state: "up", info, reply: { rttAmbiguous: true } })
    expect(lines.filter((line) => line.includes("round_trip"))).toEqual([])
    expect(lines).toHaveLength(6)
  })

  it("omit the name and the map if names are disabled", () => {
    const facts = samples({ state: "up", info }, false).find((line) => line.includes("_info"))
    expect(facts).toBe(`sourcewire_server_info{${LABELS},game="css",version="1.2"} 1`)
  })

  it("contain the game's folder in the label `game` if the game is unknown", () => {
    const unknown = { ...info, appId: 1, folder: "odd" }
    expect(samples({ state: "up", info: unknown }).at(-1)).toContain('game="odd"')
  })

  it("contain the help and type of each metric once, for any number of servers", () => {
    const target = makeWatched({ state: "up", info })
    const portions = [
      ...serverMetrics(
        Array.from({ length: 2001 }, () => target),
        true
      )
    ]
    // Each of the seven metrics is encoded in three portions, so that the encoding does not block other work.
    expect(portions).toHaveLength(21)
    const lines = portions.join("").split("\n")
    expect(lines.filter((line) => line === "# TYPE sourcewire_server_players gauge")).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith("sourcewire_server_players{"))).toHaveLength(2001)
  })

  it("have the prefix `sourcewire_probe_` instead of `sourcewire_server_` in the result of a probe", () => {
    const lines = probeMetrics(makeWatched({ state: "up", info }))
    expect(lines).toContain(`sourcewire_probe_players{${LABELS}} 3\n`)
    expect(lines).not.toContain("sourcewire_server_")
  })

  it("contain the name of the location that queries the server", () => {
    const lines = [...locationMetrics("berlin", [makeWatched({ state: "up", info, reply: { rttMs: 20 } })])].join("")
    expect(lines.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
      `sourcewire_location_up{${LABELS},location="berlin"} 1`,
      `sourcewire_location_round_trip_seconds{${LABELS},location="berlin"} 0.02`,
      ""
    ])
  })
})

describe("a metric", () => {
  it("has one value, or a value for each set of labels", () => {
    expect(metric("a_total", "counter", "Help.", 5)).toBe("# HELP a_total Help.\n# TYPE a_total counter\na_total 5\n")
    expect(
      metric("a", "gauge", "Help.", [
        ['b="c"', 1],
        ["", 2]
      ])
    ).toBe('# HELP a Help.\n# TYPE a gauge\na{b="c"} 1\na 2\n')
  })

  it("has a line for each item that has a value, and no line for an item without a value", () => {
    const metrics = [["n", "Help.", (n: number) => (n > 1 ? n : undefined)]] as const
    expect(formatLines("x", metrics, [1, 2, 3], (n) => formatLabels({ row: String(n) }))).toBe(
      '# HELP sourcewire_x_n Help.\n# TYPE sourcewire_x_n gauge\nsourcewire_x_n{row="2"} 2\nsourcewire_x_n{row="3"} 3\n'
    )
  })
})
