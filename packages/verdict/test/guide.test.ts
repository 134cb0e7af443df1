import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { KINDS } from "../src/index.ts"

it("the guide explains each kind of finding", () => {
  const guide = readFileSync(new URL("../../../docs/how-to/find-fake-servers.md", import.meta.url), "utf8")
  const headings = Array.from(guide.matchAll(/^### (.+)$/gm), ([, name]) => name)
  expect(headings).toEqual(Object.keys(KINDS))
})
