import { Api, MonitorConfig, WebConfig } from "@sourcewire/monitor"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decodeConfig } from "../../src/files/configFile.ts"
import { MONITOR_FILE } from "../../src/monitor/settings.ts"

const guide = readFileSync(new URL("../../../../docs/guides/monitor.md", import.meta.url), "utf8")
const [config, web] = [...guide.matchAll(/```json\n([^`]+)```/g)].map(([, text]) => text!)

describe("the guide to the monitor", () => {
  const { defaults, webhooks } = MonitorConfig.fields
  const settings = [...Object.keys(defaults.schema.fields), ...Object.keys(webhooks.schema.value.fields)]

  it.each(settings)("explains %s", (setting) => expect(guide).toContain(`| \`${setting}\` |`))

  it("shows files that work", () => {
    const plan = Result.getOrThrow(MONITOR_FILE.parse(config!))
    expect(plan.targets.size).toBe(4)
    expect(plan.webhooks).toHaveLength(1)
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
