/**
 * Tests the plan of a valid configuration, and the errors of an invalid configuration. The tests of the CLI cover the errors of the schema.
 */
import * as Result from "effect/Result"
import { assert, describe, expect, it } from "vitest"
import { makePlan, mapPaths, parsePlan, type Plan, type WebhookConfig } from "../src/config/Config.ts"
import { planFor } from "./lab.ts"

type Config = Plan["config"]

const TARGET = "192.0.2.1:27015"
const hook = (more: Partial<WebhookConfig>): Config => ({
  groups: [{ name: "eu" }],
  webhooks: [{ name: "chat", url: "https://chat.example/", ...more }]
})

const findProblem = (config: Config): string => {
  const plan = makePlan(config)
  assert(Result.isFailure(plan))
  return plan.failure.message
}

describe("a configuration", () => {
  it("has defaults for its optional settings", () => {
    const plan = planFor([{ name: "eu", targets: [TARGET] }])
    const group = plan.groups.get("eu")!
    expect(group).toMatchObject({
      intervalMs: 15_000,
      downIntervalMs: 15_000,
      querySettings: { query: "info", timeoutMs: 3000, retries: 4 },
      downAfter: 2,
      joins: false,
      verdicts: false
    })
    expect(group.maintenance.isEmpty).toBe(true)
    expect(plan.targets.get(TARGET)).toBe(group)
    expect(plan).toMatchObject({
      retention: { fineDays: 30, hourlyDays: 730, changeDays: 365 },
      allowedProbes: [],
      sources: [],
      webhooks: [],
      publicBadges: false,
      namesInMetrics: true,
      hasVerdicts: false,
      hasConsoles: false,
      hasLocations: false
    })
    expect([plan.pageUrl, plan.ports.size, plan.publicStatus.size]).toEqual([undefined, 0, 0])
  })

  it("can contain default settings for all groups, and each group can override these settings", () => {
    const { groups } = planFor({
      defaults: { intervalMs: 60_000, retries: 1, downAfter: 5 },
      groups: [{ name: "eu" }, { name: "us", intervalMs: 30_000, downIntervalMs: 90_000, retries: 0 }]
    })
    expect(groups.get("eu")).toMatchObject({
      intervalMs: 60_000,
      downIntervalMs: 60_000,
      querySettings: { retries: 1 }
    })
    expect(groups.get("us")).toMatchObject({
      intervalMs: 30_000,
      downIntervalMs: 90_000,
      downAfter: 5,
      querySettings: { retries: 0 }
    })
  })

  it("`hasVerdicts`, `hasConsoles` and `hasLocations` in the plan show whether at least one group uses verdicts, consoles or locations", () => {
    const has = (more: object) => {
      const { hasConsoles, hasLocations, hasVerdicts } = planFor([{ name: "a" }, { name: "b", query: "all", ...more }])
      return [hasVerdicts, hasConsoles, hasLocations]
    }
    expect(has({ verdicts: true })).toEqual([true, false, false])
    expect(has({ rconPasswordFile: "rcon.txt" })).toEqual([false, true, false])
    expect(has({ locations: 2 })).toEqual([false, false, true])
    expect(has({ locations: ["berlin"] })).toEqual([false, false, true])
    // The setting `locations: 1` means that the group does not use locations.
    expect(has({ locations: 1 })).toEqual([false, false, false])
  })

  it("the plan contains the query ports to try for a target that names a game, and the configured names of targets", () => {
    const plan = planFor([{ name: "eu", targets: ["rust:192.0.2.1", TARGET], names: { "192.0.2.1": "Match server" } }])
    expect([...plan.targets.keys()]).toEqual(["192.0.2.1:28017", TARGET])
    expect([...plan.ports]).toEqual([["192.0.2.1:28017", [28_017, 28_016, 28_015]]])
    expect([...plan.groups.get("eu")!.names]).toEqual([[TARGET, "Match server"]])
  })

  it("may list the same target twice in a group", () => {
    expect(planFor([{ name: "eu", targets: [TARGET, "192.0.2.1"] }]).targets.size).toBe(1)
  })

  it.each([
    ["https://monitor.example", "https://monitor.example/"],
    ["http://monitor.example/a//", "http://monitor.example/a/"]
  ])("the page URL %s ends with a single slash in the plan", (pageUrl, expected) => {
    expect(planFor({ groups: [], pageUrl }).pageUrl).toBe(expected)
  })

  it("can have public status pages for some groups, for all groups, or for none", () => {
    const groups = [{ name: "eu" }, { name: "us" }]
    const shown = (publicStatus: Config["publicStatus"] & {}) => [...planFor({ groups, publicStatus }).publicStatus]
    expect(shown(true)).toEqual(["eu", "us"])
    expect(shown(["us"])).toEqual(["us"])
    expect(shown(false)).toEqual([])
  })

  it("keeps the defaults of all settings that it does not contain", () => {
    const plan = planFor({
      groups: [],
      retention: { fineDays: 1 },
      metrics: { names: false },
      publicBadges: true,
      probe: { allow: ["192.0.2.0/24"] }
    })
    expect(plan).toMatchObject({
      retention: { fineDays: 1, hourlyDays: 730, changeDays: 365 },
      namesInMetrics: false,
      publicBadges: true,
      allowedProbes: [{ prefix: 24 }]
    })
  })

  it.each<readonly [problem: string, config: Config]>([
    ["two groups have the name eu", { groups: [{ name: "eu" }, { name: "eu" }] }],
    [`group eu: "1st" is not a valid name of a label`, { groups: [{ name: "eu", labels: { "1st": "a" } }] }],
    [
      "group eu: the label game is reserved. Choose another name",
      { groups: [{ name: "eu", labels: { region: "eu", game: "css" } }] }
    ],
    ["group eu: joins requires query", { groups: [{ name: "eu", joins: true }] }],
    ["group eu: verdicts requires query", { groups: [{ name: "eu", verdicts: true }] }],
    ["group eu: rconPasswordFile requires query", { groups: [{ name: "eu", rconPasswordFile: "a" }] }],
    [
      `${TARGET} is in the groups eu and us. List it once`,
      {
        groups: [
          { name: "eu", targets: [TARGET] },
          { name: "us", targets: ["192.0.2.1"] }
        ]
      }
    ],
    ["group eu: names: ", { groups: [{ name: "eu", names: { "ho st": "a" } }] }],
    ['group eu: "ho st" is not an address', { groups: [{ name: "eu", targets: ["ho st"] }] }],
    ["group eu: sources: a source must have exactly one of", { groups: [{ name: "eu", sources: [{}] }] }],
    ["probe.allow: ", { groups: [], probe: { allow: ["192.0.2.0/33"] } }],
    [
      "two webhooks have the same name",
      {
        groups: [],
        webhooks: [
          { name: "a", url: "https://a.example" },
          { name: "a", url: "https://b.example" }
        ]
      }
    ],
    ["webhook chat: there is no group us", hook({ groups: ["eu", "us"] })],
    ["pageUrl must be an http or https URL", { groups: [], pageUrl: "ftp://monitor.example" }],
    ["pageUrl must be an http or https URL", { groups: [], pageUrl: "monitor.example" }],
    ["publicStatus: there is no group us", { groups: [{ name: "eu" }], publicStatus: ["eu", "us"] }]
  ])("is rejected: %s", (problem, config) => {
    expect(findProblem(config)).toContain(problem)
  })

  it("a group may use joins, verdicts and consoles if its query is `all`", () => {
    planFor([{ name: "eu", query: "all", joins: true, verdicts: true, rconPasswordFile: "a" }])
  })
})

describe("a webhook", () => {
  it.each<readonly [problem: string, config: Config]>([
    ["set either url or urlFile", { groups: [], webhooks: [{ name: "chat" }] }],
    ["set either url or urlFile", hook({ urlFile: "url.txt" })],
    ["url must be an http or https URL", hook({ url: "file:///etc/passwd" })],
    ["url must be an http or https URL", hook({ url: "chat.example" })],
    ['"a b" cannot be a header', hook({ headers: { "a b": "c" } })],
    ['"Host" cannot be a header', hook({ headers: { Fine: "a", Host: "b" } })],
    ['"content-type" cannot be a header', hook({ hmac: { secretFile: "a", header: "content-type" } })],
    ["the header Odd must be ASCII on one line", hook({ headers: { Odd: "a\nb" } })],
    ["the header Odd must be ASCII on one line", hook({ headers: { Odd: "ä" } })],
    ['json has no setting "to"', hook({ to: "room" })],
    ["telegram requires ", hook({ format: "telegram" })]
  ])("is rejected: %s", (problem, config) => {
    expect(findProblem(config)).toContain(`webhook chat: ${problem}`)
  })

  it.each<readonly [what: string, more: Partial<WebhookConfig>]>([
    ["with a URL of http", { url: "http://chat.example/" }],
    ["with headers", { headers: { Authorization: "Bearer {token}", "X-Tab": "a\tb" }, tokenFile: "a" }],
    ["with a signature in a header of its own", { hmac: { secretFile: "a", header: "x-signature" } }],
    ["with the settings of a chat", { format: "telegram", tokenFile: "token.txt", to: "@chat" }],
    ["with a limit to one group", { groups: ["eu"] }]
  ])("is accepted %s", (_, more) => {
    expect(Result.isSuccess(makePlan(hook(more)))).toBe(true)
  })
})

describe("the paths in a configuration", () => {
  it("are replaced by `mapPaths` in every setting that contains a path", () => {
    const config: Config = {
      defaults: { rconPasswordFile: "a" },
      groups: [
        { name: "eu", rconPasswordFile: "b", sources: [{ file: "c" }, { steam: "\\appid\\730", keyFile: "d" }] }
      ],
      webhooks: [{ name: "w", urlFile: "e", tokenFile: "f", hmac: { secretFile: "g", header: "x-h" } }]
    }
    expect(mapPaths(config, (path) => `/etc/${path}`)).toEqual({
      defaults: { rconPasswordFile: "/etc/a" },
      groups: [
        {
          name: "eu",
          rconPasswordFile: "/etc/b",
          sources: [{ file: "/etc/c" }, { steam: "\\appid\\730", keyFile: "/etc/d" }]
        }
      ],
      webhooks: [{ name: "w", urlFile: "/etc/e", tokenFile: "/etc/f", hmac: { secretFile: "/etc/g", header: "x-h" } }]
    })
  })

  it("a configuration without paths is not changed", () => {
    const config: Config = {
      defaults: {},
      groups: [{ name: "eu" }],
      webhooks: [{ name: "w", url: "https://a.example" }]
    }
    expect(mapPaths(config, () => "changed")).toEqual(config)
    expect(mapPaths({ groups: [] }, () => "changed")).toEqual({ groups: [] })
  })
})

describe("a stored configuration", () => {
  it("contains the original targets and settings when it is read", () => {
    const plan = planFor([{ name: "eu", targets: [TARGET], labels: { region: "eu" } }])
    const again = Result.getOrThrow(parsePlan(JSON.stringify(plan.config)))
    expect([...again.targets.keys()]).toEqual([TARGET])
    expect(again.config).toEqual(plan.config)
  })

  it("is rejected with an explanation if an incompatible version has stored it", () => {
    for (const text of ['{"groups": 5}', "no JSON"]) {
      const plan = parsePlan(text)
      expect(Result.isFailure(plan) && plan.failure.message).toContain("Another version of Sourcewire has stored it")
    }
  })
})
