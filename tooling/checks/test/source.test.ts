/** Tests that `findImports` finds every form of import. Other checks rely on `findImports`. */
import { assert, describe, it } from "@effect/vitest"
import { findImports, lineAt, packageName } from "../src/source.ts"

const specifiers = (text: string) =>
  findImports("example.ts", text).map(({ line, specifier }) => `${line} ${specifier}`)

describe("findImports", () => {
  it.each([
    ["a namespace", `import * as A from "a/A"`, "1 a/A"],
    ["a type", `import type { A } from "./a.ts"`, "1 ./a.ts"],
    ["a side effect", `import "./a.ts"`, "1 ./a.ts"],
    ["a re-export", `export { a } from "./a.ts"`, "1 ./a.ts"],
    ["a re-export of everything", `\nexport * from "./a.ts"`, "2 ./a.ts"],
    ["a re-exported namespace", `export * as A from "./a.ts"`, "1 ./a.ts"],
    ["a dynamic import", `const load = () => import("node:net")`, "1 node:net"],
    ["a type inside an expression", `export type Socket = import("node:net").Socket`, "1 node:net"]
  ])("finds %s", (_, text, expected) => {
    assert.deepStrictEqual(specifiers(text), [expected])
  })

  it("finds no import in a text or a comment", () => {
    assert.deepStrictEqual(specifiers(`// import "a"\nexport const text = 'import "b"'`), [])
  })
})

describe("packageName", () => {
  it.each([
    ["effect/Effect", "effect"],
    ["@sourcewire/core/Testing", "@sourcewire/core"],
    ["@sourcewire/core", "@sourcewire/core"],
    ["node:fs/promises", "node:*"],
    ["bun", "bun"]
  ])("returns the package that contains the module %s: %s", (specifier, name) => {
    assert.strictEqual(packageName(specifier), name)
  })
})

describe("lineAt", () => {
  it("returns the line number of an offset, and the first line has the number 1", () => {
    assert.strictEqual(lineAt("a\nb\nc", 0), 1)
    assert.strictEqual(lineAt("a\nb\nc", 4), 3)
  })
})
