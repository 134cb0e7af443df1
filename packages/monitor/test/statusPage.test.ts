import { describe, expect, it } from "vitest"
import type { StateTime } from "../src/history/StateTime.ts"
import type { Uptimes } from "../src/history/uptime.ts"
import type { IncidentRow } from "../src/http/Api.ts"
import { formatPolicy, type GroupStatus, type StatusOptions, statusPage } from "../src/http/statusPage.ts"
import { toTargetRow } from "../src/http/views.ts"
import type { Muted } from "../src/watch/Mutes.ts"
import { type Given, makeWatched } from "./watchedTarget.ts"

const NOW = Date.UTC(2026, 10, 23, 12, 34, 56)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NONE = { up: 0, down: 0, unknown: 0, muted: 0 }

const makeRow = (given: Given, more: Partial<GroupStatus["rows"][number]> = {}, muted?: Muted) => ({
  row: toTargetRow(makeWatched(given), muted),
  uptimes: undefined,
  times: [],
  ...more
})

const render = (status: Partial<GroupStatus>, options: Partial<StatusOptions> = {}): string =>
  statusPage(
    { group: "eu", atMs: NOW, counts: NONE, rows: [], incidents: [], ...status },
    { isEmbedded: false, theme: null, refresh: null, ...options }
  )

/** Returns the texts of the cells in the table row of a server, without markup. */
const cells = (row: GroupStatus["rows"][number]): ReadonlyArray<string> => {
  const [, body = ""] = /<tbody>(.*?)<\/tbody>/s.exec(render({ counts: { ...NONE, up: 1 }, rows: [row] })) ?? []
  return [...body.matchAll(/<(?:th|td)[^>]*>(.*?)<\/(?:th|td)>/g)].map(([, cell]) =>
    cell!
      .replace(/<svg.*?<title>(.*?)<\/title>.*?<\/svg>/, "$1")
      .replace(/<small>/g, " | ")
      .replace(/<[^>]+>/g, "")
      .replace(/ +/g, " ")
  )
}

describe("the summary of a group", () => {
  it.each([
    [{}, "This group has no servers."],
    [{ up: 3 }, "All servers are up (3)."],
    [{ up: 1, down: 2 }, "2 servers down, 1 server up."],
    [{ down: 1 }, "1 server down, 0 servers up."],
    [{ up: 2, muted: 1 }, "2 servers up, 1 server under maintenance."],
    [{ up: 2, unknown: 2 }, "2 servers up, 2 servers not known yet."],
    [
      { up: 1, down: 1, muted: 2, unknown: 1 },
      "1 server down, 1 server up, 2 servers under maintenance, 1 server not known yet."
    ],
    [{ muted: 1 }, "0 servers up, 1 server under maintenance."]
  ])("shows the counts %o as: %s", (counts, expected) => {
    const page = render({ counts: { ...NONE, ...counts } })
    expect(page).toContain(`<p class="sum">${expected}</p>`)
    expect(page).toContain(`<title>eu: ${expected}</title>`)
  })
})

describe("the row of a server", () => {
  it("contains its name, address, map, state with duration, players and uptime", () => {
    const time = (up: number, down: number): StateTime & { readonly from: number; readonly to: number } => ({
      from: 0,
      to: 1,
      up,
      down,
      muted: 0
    })
    const uptimes: Uptimes = { "24h": time(1, 0), "7d": time(99, 1), "30d": time(1, 1), "90d": time(0, 0) }
    const row = makeRow(
      {
        state: "up",
        stateAt: NOW - 26 * HOUR,
        info: { name: "A <b>server</b>", map: "de_nuke", players: 3, maxPlayers: 16 }
      },
      { uptimes }
    )
    expect(cells(row)).toEqual([
      "A &#60;b&#62;server&#60;/b&#62; | 192.0.2.1:27015 · de_nuke",
      "up | 1 d 2 h",
      "Not down in the last 24 hours",
      "3/16",
      "100.00 %",
      "99.00 %",
      "50.00 %",
      "–"
    ])
  })

  it.each([
    [30_000, "less than a minute"],
    [MINUTE, "1 min"],
    [59 * MINUTE, "59 min"],
    [HOUR, "1 h 0 min"],
    [23 * HOUR + 59 * MINUTE, "23 h 59 min"],
    [49 * HOUR, "2 d 1 h"],
    [-5, "less than a minute"]
  ])("shows the duration of the state as text: %i ms as %s", (ms, expected) => {
    expect(cells(makeRow({ state: "down", stateAt: NOW - ms }))[1]).toBe(`down | ${expected}`)
  })

  it("contains neither players nor map if the server is down", () => {
    const [name, state, , players] = cells(makeRow({ state: "down", info: { name: "A", map: "de_nuke", players: 3 } }))
    expect([name, state, players]).toEqual(["A | 192.0.2.1:27015", "down", "–"])
  })

  it("shows the address as the name, and no uptime, if the server has never replied", () => {
    expect(cells(makeRow({}))).toEqual([
      "192.0.2.1:27015 | 192.0.2.1:27015",
      "unknown",
      "Not down in the last 24 hours",
      "–",
      "–",
      "–",
      "–",
      "–"
    ])
  })

  it("shows maintenance if the server is muted", () => {
    expect(cells(makeRow({ state: "down" }, {}, { by: "mute" }))[1]).toBe("maintenance")
  })

  it("contains a bar for each monitored hour, with the worst state of the hour", () => {
    const page = render({
      rows: [
        makeRow(
          {},
          {
            times: [
              [0, 0, 0],
              [9, 0, 0],
              [5, 4, 0],
              [0, 9, 0],
              [0, 0, 9],
              [5, 0, 4],
              [0, 1, 9]
            ]
          }
        )
      ]
    })
    expect(
      [...page.matchAll(/<rect class="(.)" x="(\d+)" y="(\d+)" width="4.4" height="(\d+)"/g)].map((bar) => bar.slice(1))
    ).toEqual([
      ["g", "5", "8", "4"],
      ["p", "10", "3", "9"],
      ["d", "15", "0", "12"],
      ["m", "20", "5", "2"],
      ["g", "25", "8", "4"],
      ["d", "30", "0", "12"]
    ])
    expect(page).toContain('aria-label="Down in 3 of the last 24 hours"')
  })
})

describe("the incidents of a group", () => {
  const incident = (more: Partial<IncidentRow>): IncidentRow => ({
    target: 1,
    address: "192.0.2.1:27015",
    group: "eu",
    from: NOW - HOUR,
    noticedAt: NOW - HOUR,
    isOngoing: false,
    reason: "Timeout",
    message: "No reply.",
    isMuted: false,
    ...more
  })
  const rows = (...incidents: ReadonlyArray<IncidentRow>) =>
    [...render({ incidents }).matchAll(/<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td><td>(.*?)<\/td>/g)].map((row) =>
      row.slice(1)
    )

  it("are listed with server, start and duration", () => {
    expect(
      rows(
        incident({ durationMs: 5 * MINUTE, name: "A & B" }),
        incident({ durationMs: HOUR, isOngoing: true }),
        incident({ name: "" })
      )
    ).toEqual([
      ["<bdi>A &#38; B</bdi>", "2026-11-23 11:34 UTC", "5 min"],
      ["<bdi>192.0.2.1:27015</bdi>", "2026-11-23 11:34 UTC", "down for 1 h 0 min"],
      ["<bdi>192.0.2.1:27015</bdi>", "2026-11-23 11:34 UTC", "unknown"]
    ])
  })

  it("are replaced by a sentence if no server was down, and are absent from an embedded page", () => {
    expect(render({})).toContain("<p>No server was down in the last 7 days.</p>")
    expect(render({}, { isEmbedded: true })).not.toContain("Incidents")
    expect(render({ incidents: [incident({})] }, { isEmbedded: true })).not.toContain("11:34")
  })
})

describe("a status page", () => {
  it("reports how many servers it does not show", () => {
    expect(render({ counts: { ...NONE, up: 2, down: 1 }, rows: [makeRow({})] })).toContain(
      "2 servers more are not shown."
    )
    expect(render({ counts: { ...NONE, up: 1 }, rows: [makeRow({})] })).not.toContain("not shown")
  })

  it("contains no table if there are no servers", () => {
    expect(render({})).not.toContain("<table")
  })

  it("has the theme that its URL specifies, if this theme exists", () => {
    expect(render({}, { theme: "dark" })).toContain('<html lang="en" data-theme="dark">')
    expect(render({}, { theme: "light" })).toContain('<html lang="en" data-theme="light">')
    expect(render({}, { theme: '"><script>' })).toContain('<html lang="en">')
  })

  it.each(["10", "99999"])("is reloaded by the browser after %s seconds", (refresh) => {
    expect(render({}, { refresh })).toContain(`<meta http-equiv="refresh" content="${refresh}">`)
  })

  it.each([null, "", "5", "123456", "10x", "x10"])("is not reloaded if the parameter `refresh` is %j", (refresh) => {
    expect(render({}, { refresh })).not.toContain("http-equiv")
  })

  it("shows the time of its creation, and has the class `embed` only if it is embedded", () => {
    expect(render({}, { isEmbedded: true })).toContain('<body class="embed">')
    expect(render({})).toContain("<body><main>")
    expect(render({})).toContain("Updated 2026-11-23 12:34 UTC.")
  })

  it("has a content security policy that permits no content of other sites", () => {
    const policy = formatPolicy("'none'")
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(formatPolicy("*")).toContain("frame-ancestors *")
  })
})
