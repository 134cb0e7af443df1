/** Pages of docs/benchmarks whose sections can be measured and renewed one by one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where the pages are. */
export const pages = fileURLToPath(new URL("../../docs/benchmarks/", import.meta.url))

/** Texts of a page's sections by title. */
const readSections = (file: string): Map<string, string> => {
  if (!existsSync(file)) return new Map()
  const [, ...sections] = readFileSync(file, "utf8").split(/^## /m)
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n")
      return [section.slice(0, end), section.slice(end).trim()] as const
    })
  )
}

/** Puts sections into a page, in place of older ones; `order` lists all titles. */
export const writeSections = (
  page: string,
  head: string,
  sections: ReadonlyArray<{ readonly title: string; readonly text: string }>,
  order: ReadonlyArray<string>
): void => {
  const file = join(pages, page)
  const texts = readSections(file)
  for (const { text, title } of sections) texts.set(title, text)
  mkdirSync(pages, { recursive: true })
  const known = order.filter((title) => texts.has(title))
  writeFileSync(file, [head, ...known.map((title) => `## ${title}\n\n${texts.get(title)}\n`)].join("\n"))
}
