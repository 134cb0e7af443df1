import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { KINDS, SEVERITIES } from "../src/index.ts"

it("the reference page contains each kind of finding and its hint", () => {
  const page = readFileSync(new URL("../../../docs/reference/findings.md", import.meta.url), "utf8")
  const rows = Array.from(page.matchAll(/^\| `([a-z0-9-]+)` \| .+ \| (.+) \|$/gm), ([, kind, hint]) => [kind, hint])
  const expected = SEVERITIES.flatMap((severity) =>
    Object.entries(KINDS).flatMap(([kind, one]) => (one.severity === severity ? [[kind, one.hint]] : []))
  )
  expect(rows).toEqual(expected)
})
