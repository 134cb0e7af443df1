/**
 * The pages of `docs/benchmarks`. The results of each benchmark are stored in a JSON file in `docs/benchmarks/results`. The page of the
 * benchmark is generated from this JSON file.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { type Measured, root, type Table } from "./Bench.ts"

const pages = join(root, "docs/benchmarks")

/** A part of a benchmark as it is stored: its text, its measurements, and the conditions of the measurements. */
export interface Result extends Measured {
  readonly title: string
  readonly about: string
  /** The date and the machine of the measurement, and the version of Node. */
  readonly conditions: string
}

/** The content of `docs/benchmarks/results/NAME.json`. */
export interface Results {
  readonly title: string
  readonly about: string
  readonly parts: Readonly<Record<string, Result>>
}

/** Returns the date, the machine and the version of Node. Readers need these conditions to interpret the numbers. */
export const conditions = (): string => {
  const cpu = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpu.length} × ${cpu[0]!.model.trim()}, Node ${process.versions.node}`
}

export const markdown = ([head = [], ...rows]: Table): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

export const plain = (table: Table): string => {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  return table.map((row) => row.map((value, column) => String(value).padEnd(widths[column]!)).join("  ")).join("\n")
}

const resultsFile = (name: string): string => join(pages, "results", `${name}.json`)

/** The results of earlier runs. `undefined` if no results are stored. */
export const readResults = (name: string): Results | undefined =>
  existsSync(resultsFile(name)) ? (JSON.parse(readFileSync(resultsFile(name), "utf8")) as Results) : undefined

const sectionMarkdown = ({ about, conditions, notes, table, title }: Result, isOnly: boolean): string =>
  [
    ...(isOnly ? [] : [`## ${title}`]),
    about,
    markdown(table),
    notes.map((one) => `- ${one}`).join("\n"),
    `Measured: ${conditions}.`
  ]
    .filter((text) => text !== "")
    .join("\n\n")

const pageMarkdown = (name: string, { about, parts, title }: Results): string => {
  const sections = Object.values(parts)
  const source = `Made by \`pnpm bench ${name} --write\` from [its results](results/${name}.json).`
  return `${[`# ${title}`, `${about} ${source}`, ...sections.map((part) => sectionMarkdown(part, sections.length === 1))].join("\n\n")}\n`
}

export const writePage = (name: string, results: Results): void =>
  writeFileSync(join(pages, `${name}.md`), pageMarkdown(name, results))

/** Stores results and writes their page. */
export const writeResults = (name: string, results: Results): void => {
  writeFileSync(resultsFile(name), `${JSON.stringify(results, undefined, 2)}\n`)
  writePage(name, results)
}
