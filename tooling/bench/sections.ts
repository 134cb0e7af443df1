/** Pages of docs/benchmarks whose sections can be measured and renewed one by one. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { conditions, note, pages, printed, type Table } from "./report.ts"

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
 * an older one.
 */
export const measureParts = async (
  page: string,
  head: string,
  parts: Readonly<Record<string, Part>>,
  names: string,
  write: boolean
): Promise<void> => {
  const file = join(pages, page)
  for (const name of names.split(",")) {
    const { about, measure, title } = parts[name]!
    note(`${name} `)
    const { notes, rounds, table } = await measure()
    note("\n")
    console.log(`\n${title}\n`)
    const text = printed(table, notes)
    if (!write) continue
    const sections = readFileSync(file, "utf8").split(/^## /m).slice(1)
    const texts = new Map(sections.map((section) => [section.split("\n", 1)[0]!, section]))
    const line = `${conditions()}${rounds === undefined ? "" : `, ${rounds} rounds`}.`
    texts.set(title, `${title}\n\n${about}\n\n${text}\n\n${line}\n`)
    const known = Object.values(parts).flatMap((one) => texts.get(one.title) ?? [])
    writeFileSync(file, [head, ...known.map((one) => `## ${one.trim()}\n`)].join("\n"))
  }
}
