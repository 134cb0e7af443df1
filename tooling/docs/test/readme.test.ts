/** Checks README.md and the first programs of the documentation. */
import { globSync } from "node:fs"
import { parseSync } from "oxc-parser"
import { expect, it } from "vitest"
import { read, root } from "../../checks/src/workspace.ts"
import { measured } from "../src/measured.ts"

it.each(measured())("$file has the figures of the committed benchmark results", ({ file, text }) => {
  expect(read(file)).toBe(text)
})

it("README.md runs no pnpm command", () => {
  const blocks = [...read("README.md").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
  expect(blocks.filter((code) => code.includes("pnpm"))).toEqual([])
})

/** The first `ts` block of a page, which is its first program. */
const findFirst = (text: string): RegExpExecArray | null => /^```ts\n([\s\S]*?)^```$/m.exec(text)

/** Pages with a first program that users run with Node in an empty folder. */
const pages = globSync(["README.md", "packages/*/README.md", "docs/{how-to,tutorials,explanation}/*.md"], {
  cwd: root
}).filter((page) => {
  const [, code = ""] = findFirst(read(page)) ?? []
  // Pages for Next.js are excluded, because Next.js determines the file names. Pages for Deno and Bun are excluded, because these
  // runtimes treat every file as an ES module.
  return code.includes("import") && !/runtime = "nodejs"|transport-(deno|bun)"$/m.test(code)
})

it.each(pages)("a file name or a setup step in %s ensures that Node runs the first program as an ES module", (page) => {
  const text = read(page)
  const { 1: code = "", index = 0 } = findFirst(text)!
  const before = text.slice(0, index)
  const [, file = ""] = /[Ss]ave (?:this|the program) as `([\w-]+\.m[jt]s)`/.exec(before) ?? []
  if (file === "") expect(before).toMatch(/#run-the-examples\)|npm pkg set type=module/)
  else expect(parseSync(file, code).errors).toEqual([])
})
