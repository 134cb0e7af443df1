/** Pages of docs/benchmarks whose sections can be measured and renewed one by one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { conditions, isMissed, markdown, plain, type Table } from "./report.ts"

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

/** A section: what it is about, and what measures it. */
export interface Part {
  readonly title: string
  readonly about: string
  /** In rounds, or at once. */
  readonly measure: () => Promise<{
    readonly table: Table
    readonly notes: ReadonlyArray<string>
    readonly rounds?: number
  }>
}

/**
 * Measures those of the parts that are named and prints them; with `write`, each goes into the page as soon as it is there, in place of
 * an older one. When something is missed, the process ends with 1.
 */
export const measureParts = async (
  page: string,
  head: string,
  parts: Readonly<Record<string, Part>>,
  names: string,
  write: boolean
): Promise<void> => {
  for (const name of names.split(",")) {
    const { about, measure, title } = parts[name]!
    const { notes, rounds, table } = await measure()
    const list = notes.map((one) => `- ${one}`).join("\n")
    console.log(`\n${title}\n\n${plain(table)}\n\n${list}`)
    if (notes.some(isMissed)) process.exitCode = 1
    if (!write) continue
    const file = join(pages, page)
    const line = `${conditions()}${rounds === undefined ? "" : `, ${rounds} rounds`}.`
    const texts = readSections(file).set(title, `${about}\n\n${markdown(table)}\n\n${list}\n\n${line}`)
    mkdirSync(pages, { recursive: true })
    const known = Object.values(parts).filter((one) => texts.has(one.title))
    writeFileSync(file, [head, ...known.map((one) => `## ${one.title}\n\n${texts.get(one.title)}\n`)].join("\n"))
  }
}
