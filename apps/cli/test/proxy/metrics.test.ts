import type { ProxyStatus } from "@sourcewire/proxy"
import { describe, expect, it } from "vitest"
import { buildHealth, metricsText } from "../../src/proxy/metrics.ts"

const status: ProxyStatus = {
  upstream: '127.0.0.1:27015"\\',
  listening: "127.0.0.1:27016",
  state: "stale",
  ageMs: { info: 1500.4 },
  notServed: ["rules"],
  front: {
    requests: { info: 7, players: 1, rules: 0, ping: 0, getChallenge: 0, other: 2 },
    replies: 8,
    bytesIn: 250,
    bytesOut: 990,
    unanswered: 2,
    socketFaults: 0
  },
  back: { answered: { info: 3, players: 3, rules: 1 }, failed: { info: 1, players: 0, rules: 0 }, sent: 11 }
}

describe("metrics", () => {
  const lines = metricsText([status, { ...status, state: "gone" }], 3).split("\n")

  it("have the format of Prometheus", () => {
    expect(lines.at(-1)).toBe("")
    for (const line of lines.slice(0, -1)) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\["\\n])*",?)+\})? [\d.]+)$/)
    }
  })

  it("contain the type of each metric only once, even if there are several servers", () => {
    const types = lines.filter((line) => line.startsWith("# TYPE"))
    expect(new Set(types).size).toBe(types.length)
  })

  it("contain the number of queries and refreshes, and the age of the replies", () => {
    const labels = 'listening="127.0.0.1:27016",upstream="127.0.0.1:27015\\"\\\\"'
    expect(lines).toContain(`sourcewire_proxy_requests_total{${labels},kind="info"} 7`)
    expect(lines).toContain(`sourcewire_proxy_refreshes_total{${labels},part="info",result="failed"} 1`)
    expect(lines).toContain(`sourcewire_proxy_age_seconds{${labels},part="info"} 1.5`)
    expect(lines).toContain(`sourcewire_proxy_state{${labels},state="stale"} 1`)
    const dropping = { ...status, front: { ...status.front, dropped: 37 } }
    expect(metricsText([dropping], 0)).toContain(`sourcewire_proxy_kernel_drops_total{${labels}} 37\n`)
    expect(lines.join("\n")).not.toMatch(/kernel_drops_total\{/)
    expect(lines).toContain("sourcewire_proxy_log_lines_lost_total 3")
    expect(metricsText([{ ...status, upstream: "a\nb" }], 0)).toContain('upstream="a\\nb"')
    expect(lines.join("\n")).not.toMatch(/_players\{/)
  })
})

describe("health", () => {
  it("is ok only if the proxy has replies of all game servers", () => {
    expect(buildHealth([status]).ok).toBe(true)
    expect(buildHealth([status, { ...status, state: "gone" }]).ok).toBe(false)
    expect(buildHealth([{ ...status, state: "starting" }])).toMatchObject({
      ok: false,
      servers: [{ ageMs: { info: 1500 } }]
    })
  })

  it("lists the replies that the proxy cannot serve, and is not ok if INFO is one of them", () => {
    expect(buildHealth([status])).toMatchObject({ ok: true, servers: [{ notServed: ["rules"] }] })
    expect(buildHealth([{ ...status, state: "fresh", notServed: ["info", "rules"] }])).toMatchObject({
      ok: false,
      servers: [{ notServed: ["info", "rules"] }]
    })
    const text = metricsText([status], 0)
    expect(text).toMatch(/_served\{[^}]*part="info"\} 1\n/)
    expect(text).toMatch(/_served\{[^}]*part="rules"\} 0\n/)
  })
})
