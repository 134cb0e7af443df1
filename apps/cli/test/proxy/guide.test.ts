import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ProxyConfig, parseServers } from "../../src/proxy/config.ts"

const guide = readFileSync(new URL("../../../../docs/reference/proxy-configuration.md", import.meta.url), "utf8")

describe("the guide to the proxy", () => {
  const settings = Object.keys(ProxyConfig.fields.servers.value.fields)

  it.each(settings)("explains %s", (setting) => {
    expect(guide).toContain(`| \`${setting}\` |`)
  })

  it("explains only existing settings", () => {
    const explained = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(explained.toSorted()).toEqual(settings.toSorted())
  })

  it("contains a valid configuration", () => {
    const [, example] = /```json\n([^`]+)```/.exec(guide)!
    expect(Result.getOrThrow(parseServers(example!))).toHaveLength(2)
  })
})
