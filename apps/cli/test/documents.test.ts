/**
 * Checks the pages `docs/protocol/document-*.md`, which list the contents of other descriptions of the protocol. The links and commands in
 * these pages must be valid, and each page must contain all messages that its document defines.
 */
import * as Protocol from "@sourcewire/protocol/wire"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { names as commands } from "../src/program.ts"

const folder = new URL("../../../docs/protocol/", import.meta.url)
const documents = ["000", "001", "002", "003", "004"]

const readPage = (page: string): string => readFileSync(new URL(page, folder), "utf8")

const readRows = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  readPage(page)
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| part | "))
    .map((line) => line.slice(2, -2).split(" | "))

const findTargets = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]!))
]

const names: ReadonlySet<string> = new Set(commands)

const isModule = (path: string): boolean => /\/src\/.*\.ts$/.test(path)
// The column of tests can also contain fuzzing targets, because these targets test the code with random input.
const isTest = (path: string): boolean => /\/test\/.*\.test\.ts$|\/fuzz\/src\/targets\/.*\.ts$/.test(path)

describe.each(documents)("the page about protocol document %s", (document) => {
  const page = `document-${document}.md`
  const rows = readRows(page)

  it.each(rows.map((row) => [row[0], row] as const))(
    "lists messages, modules, a command and tests in the row %j",
    (_, row) => {
      expect(row.length).toBe(5)
      const [, messages, modules, command, tests] = row as [string, string, string, string, string]
      expect(messages).not.toBe("")
      expect(findTargets(modules)).not.toEqual([])
      expect(findTargets(modules).filter((path) => !isModule(path))).toEqual([])
      expect(findTargets(tests)).not.toEqual([])
      expect(findTargets(tests).filter((path) => !isTest(path))).toEqual([])
      const called = [...command.matchAll(/`sourcewire (\w+)/g)].map((match) => match[1]!)
      expect(called).not.toEqual([])
      expect(called.filter((name) => !names.has(name))).toEqual([])
    }
  )

  it.each(findTargets(readPage(page)))("contains a valid link to %s", (target) => {
    const [path, anchor] = target.split("#") as [string, string | undefined]
    expect(existsSync(fileURLToPath(new URL(path, folder)))).toBe(true)
    if (anchor !== undefined) expect(readPage(path).toLowerCase()).toContain(`\n## ${anchor}\n`)
  })

  it("contains every message that the document defines", () => {
    const text = readPage(page)
    for (const codec of Object.values(Protocol)) {
      if (typeof codec !== "object" || codec === null || !("layout" in codec)) continue
      const { sources, tag } = Protocol.findDeclaration(codec.tag)!
      if (new RegExp(`\\b${document}\\b`).test(sources)) expect(text).toContain(`[${tag}](`)
    }
  })
})
