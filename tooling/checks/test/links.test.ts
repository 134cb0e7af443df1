/** Links of the documentation to files of the repository lead somewhere. What a heading is called, and other sites, are not looked at. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { files, read, root } from "../src/workspace.ts"

const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g

it.each(files().filter((file) => file.endsWith(".md")))("%s", (file) => {
  const targets = [...read(file).matchAll(LINK)].map(([, target]) => target!)
  expect(targets.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([])
})
