/** Checks that the page of errors has a row for each error that users can get. */
import { errors } from "@sourcewire/core/schemas"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8")

it("docs/reference/errors.md and the pages about RCON and masters mention every error", () => {
  const pages =
    page("reference/errors.md") +
    page("how-to/control-a-server-with-rcon.md") +
    page("how-to/list-servers-from-a-master.md")
  // Unions of errors are excluded, because the table contains all their members.
  const isUnion = (name: string): boolean => /^(Query|Client|Rcon|RconConnect|Log|Master|Scan)Error$/.test(name)
  const missing = Object.keys(errors).filter((name) => !isUnion(name) && !pages.includes(`\`${name}\``))
  expect(missing, "Add a row to docs/reference/errors.md").toEqual([])
})
