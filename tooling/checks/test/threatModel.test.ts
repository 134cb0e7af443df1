/**
 * Checks the threat model. Each claim links to an existing test or check, and quotes existing titles. The table of caps is complete, and has
 * the same values as the code.
 */
import { describe, expect, it } from "vitest"
import { read } from "../src/workspace.ts"

interface Row {
  readonly name: string
  readonly value: string
  readonly module: string
}

const table: ReadonlyArray<Row> = read("docs/explanation/threat-model.md")
  .split("\n")
  .flatMap((line) => {
    const match = /^\| `(\w+)` \| ([^|]+) \| \[`[^`]+`\]\(\.\.\/\.\.\/([^)]+)\) \|/.exec(line)
    return match === null ? [] : [{ name: match[1]!, value: match[2]!.trim(), module: match[3]! }]
  })

/** The caps of a module: constants that begin with `MAX_`, and the fields of its default limits. */
const findCaps = (module: string): ReadonlyMap<string, string> =>
  new Map(
    [...read(module).matchAll(/^(?:(?:export )?const (?=MAX_)| {2}(?=\w+: [\d_]+,?$))(\w+)(?: =|:) (.+?),?$/gm)].map(
      ([, name, value]) => [name!, value!]
    )
  )

/** Calculates a product, for example `64 * 1_024` from the code, or `64 * 1 024` from the table. */
const product = (text: string): number =>
  text.split("*").reduce((value, factor) => value * Number(factor.replaceAll(/[_ \u00a0]/g, "")), 1)

describe("the table of caps", () => {
  it.each(["packages/protocol/src/Limits.ts", "packages/core/src/Limits.ts", "apps/playground/bridge/Limits.ts"])(
    "lists every cap of %s",
    (module) => {
      const documented = table.filter((row) => row.module === module).map(({ name }) => name)
      expect(documented.toSorted()).toEqual([...findCaps(module).keys()].toSorted())
    }
  )

  it.each(table.map((row) => [`${row.name} of ${row.module}`, row] as const))(
    "has the same value as the code for %s",
    (_, row) => {
      const value = findCaps(row.module).get(row.name)
      expect(value).toBeDefined()
      expect(product(row.value)).toBe(product(value!))
    }
  )
})

/** The table rows below the heading "Defenses". */
const claims = read("docs/explanation/threat-model.md")
  .split("## Defenses")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| guarantee"))

describe("a claim", () => {
  it.each(claims.map((row) => [row.split("|")[1]!.trim(), row] as const))(
    "links to a test or a check, and quotes only titles of tests in the linked file: %s",
    (_, row) => {
      const files = [
        ...row.matchAll(/\]\(\.\.\/\.\.\/([^)]+(?:\.test|Suite)\.ts|tooling\/checks\/src\/\w+\.ts)\)/g)
      ].map(([, path]) => path!)
      expect(files).not.toEqual([])
      for (const path of files) expect(read(path)).not.toBe("")
      for (const [, path, titles] of row.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)((?:,? ?(?:and )?“[^”]+”)+)/g)) {
        for (const [, title] of titles!.matchAll(/“([^”]+)”/g)) expect(read(path!)).toContain(title)
      }
    }
  )
})
