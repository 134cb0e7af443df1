import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { parseServers } from "../../src/proxy/config.ts"
import { configPage } from "../files/configReference.ts"

const guide = readFileSync(new URL("../../../../docs/reference/proxy-configuration.md", import.meta.url), "utf8")

describe("the reference page of the proxy", () => {
  it("contains all settings of the schema", () => {
    expect(guide).toBe(configPage("proxy-configuration"))
  })

  it("contains a valid configuration", () => {
    const [, example] = /```json\n([^`]+)```/.exec(guide)!
    expect(Result.getOrThrow(parseServers(example!))).toHaveLength(2)
  })
})
