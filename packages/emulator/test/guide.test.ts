import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { profiles } from "../src/index.ts"
import { faultSwitches, profileNames } from "../src/machines.ts"

const guide = readFileSync(new URL("../../../docs/reference/emulated-servers.md", import.meta.url), "utf8")

describe("the guide to emulated servers", () => {
  it.each(profileNames)(
    "describes the profile %s, and lists the queries to which the profile replies without a challenge",
    (name) => {
      const { description, trusts = [] } = profiles[name]()
      const kinds = trusts.map((kind) => `\`${kind}\``).join(" ")
      assert.include(guide, `| \`${name}\` | ${description} | ${kinds === "" ? "—" : kinds} |`)
    }
  )

  it.each(faultSwitches)("describes the fault $name", ({ name, takes, description }) => {
    assert.include(guide, `| \`${name}${takes === "nothing" ? "" : "=…"}\` | ${takes} | ${description} |`)
  })
})
