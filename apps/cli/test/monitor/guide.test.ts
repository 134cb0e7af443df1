import { Api, WebConfig } from "@sourcewire/monitor"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decodeConfig } from "../../src/files/configFile.ts"
import { monitorFile } from "../../src/monitor/settings.ts"
import { configPage } from "../files/configReference.ts"

const page = (name: string): string => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8")
const guide = page("reference/monitor-configuration")
const api = page("reference/http-api")
const pagesWithFiles = [
  "reference/monitor-configuration",
  "how-to/watch-lists-of-servers",
  "how-to/mute-alerts",
  "how-to/secure-the-monitor"
]
const [config, lists, maintenance, web] = pagesWithFiles.map((name) => /```json\n([^`]+)```/.exec(page(name))![1]!)
const others = ["how-to/send-alerts-to-discord", "tutorials/watch-your-servers"]

describe("the pages about the monitor", () => {
  it("contain a reference of all settings in the schema", () => {
    expect(guide).toBe(configPage("monitor-configuration"))
  })

  it("contain valid configuration files", () => {
    for (const name of others) {
      const [, example] = /```json\n([^`]+)```/.exec(page(name))!
      expect(Result.getOrThrow(monitorFile("monitor.json")(example!)).webhooks).toHaveLength(1)
    }
    const plan = Result.getOrThrow(monitorFile("monitor.json")(config!))
    expect(plan.targets.size).toBe(4)
    expect(plan.webhooks).toHaveLength(1)
    const { sources } = Result.getOrThrow(monitorFile("/etc/monitor.json")(lists!))
    expect(sources.map(({ filter, kind, where }) => `${kind} ${where}${filter}`)).toEqual([
      "file /etc/servers.txt",
      "url https://example.org/servers.json",
      "steam \\appid\\440",
      "master master.example.org:27010\\gamedir\\cstrike"
    ])
    const windows = Result.getOrThrow(monitorFile("monitor.json")(maintenance!)).groups.get("public")!.maintenance
    expect(windows.isOpen(Date.parse("2026-12-25T00:00:00Z"))).toBe(true)
    expect(windows.isOpen(Date.parse("2026-11-23T03:10:00Z"))).toBe(true)
    expect(windows.isOpen(Date.parse("2026-11-24T03:10:00Z"))).toBe(false)
    const hash = `$2y$10$${"a".repeat(53)}`
    expect(Result.isSuccess(decodeConfig(WebConfig, web!.replace("$2y$10$…", hash)))).toBe(true)
  })

  it("list every path of the HTTP API, and no other paths", () => {
    const described = [...api.matchAll(/^\| `(\/api\/[\w/]+)` \|/gm)].map(([, path]) => path)
    const paths = Object.values(Api.Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ path }) => path.replace(":id", "ID").replace(":name", "NAME"))
    )
    const exports = ["incidents", "changes", "samples"].map((what) => `/api/export/${what}`)
    expect(described.toSorted()).toEqual([...new Set([...paths, "/api/events", ...exports])].toSorted())
  })
})
