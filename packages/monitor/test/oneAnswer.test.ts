/** docs/one-answer.md: twenty files at most, and what it names runs where it says, or for the page in a browser is there. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"

const root = new URL("../../../", import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8")

const steps = textOf("docs/one-answer.md")
  .split("\n")
  .flatMap((line) => {
    const [, file, functions] = /^\d+\. \[[^\]]+\]\(\.\.\/([^)]+)\)((?: `\w+`)+):/.exec(line) ?? []
    return file === undefined
      ? []
      : [{ file, functions: [...functions!.matchAll(/`(\w+)`/g)].map(([, name]) => name!) }]
  })

let ran: Readonly<Record<string, ReadonlyArray<string>>> = {}
beforeAll(() => {
  const program = fileURLToPath(new URL("oneAnswer.ts", import.meta.url))
  const { stderr, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
  expect(stderr).toBe("")
  ran = JSON.parse(stdout) as typeof ran
}, 120_000)

describe("the way of one answer", () => {
  it("is one of twenty files", () => {
    expect(steps).toHaveLength(20)
  })

  it.each(steps)("leads through $file", ({ file, functions }) => {
    if (file.startsWith("apps/")) for (const name of functions) expect(textOf(file)).toContain(`export const ${name} =`)
    else expect(ran[file]).toEqual(expect.arrayContaining(functions))
  })
})
