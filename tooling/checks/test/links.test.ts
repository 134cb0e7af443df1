/** Links of the documentation to files of the repository lead somewhere. What a heading is called, and other sites, are not looked at. */
import { existsSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, it } from "vitest"
import { address } from "../src/publication.ts"
import { files, read, root } from "../src/workspace.ts"

const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g

/** A link through the repository's public address, as in the READMEs of published packages: a link from the root. */
const PUBLIC = new RegExp(`\\]\\(${RegExp.escape(address)}/(?:blob|tree)/main/`, "g")

it.each(files().filter((file) => file.endsWith(".md")))("%s", (file) => {
  const text = read(file).replace(PUBLIC, `](${relative(dirname(file), ".") || "."}/`)
  const targets = [...text.matchAll(LINK)].map(([, target]) => target!)
  expect(targets.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([])
})
