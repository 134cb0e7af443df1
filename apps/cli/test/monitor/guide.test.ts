import { Api, MonitorConfig, WebConfig } from "@sourcewire/monitor"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decodeConfig } from "../../src/files/configFile.ts"
import { monitorFile } from "../../src/monitor/settings.ts"

const guide = readFileSync(new URL("../../../../docs/guides/monitor.md", import.meta.url), "utf8")
const [config, lists, web] = [...guide.matchAll(/```json\n([^`]+)```/g)].map(([, text]) => text!)

describe("the guide to the monitor", () => {
  const { defaults, groups, webhooks } = MonitorConfig.fields
  const { sources } = groups.value.fields
  const settings = [defaults.schema, webhooks.schema.value, sources.schema.value].flatMap(({ fields }) =>
    Object.keys(fields)
  )

  it.each(settings)("explains %s", (setting) =>
    expect(guide).toMatch(new RegExp(`^\\| (\`\\w+\`, )?\`${setting}\`(, \`\\w+\`)? \\|`, "m"))
  )

  it("shows files that work", () => {
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
    const hash = `$2y$10$${"a".repeat(53)}`
    expect(Result.isSuccess(decodeConfig(WebConfig, web!.replace("$2y$10$…", hash)))).toBe(true)
  })

  it("names every page of the API, and none besides", () => {
    const described = [...guide.matchAll(/^\| `(\/api\/[\w/]+)` \|/gm)].map(([, path]) => path)
    const paths = Object.values(Api.Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ path }) => path.replace(":id", "ID"))
    )
    expect(described.toSorted()).toEqual([...paths, "/api/events"].toSorted())
  })
})
