/**
 * What benchmarks have in common: options, turns, medians, and tables, which go to the terminal and as Markdown into docs.
 */
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export const pages = join(root, "docs/benchmarks")

/** What the command line says, each option of the type of its default; and whether the page is to be written. */
export const options = <A extends Readonly<Record<string, number | string | boolean>>>(
  defaults: A
): { readonly [K in keyof A]: A[K] extends number ? number : A[K] extends string ? string : boolean } & {
  readonly write: boolean
} => {
  const entries = Object.entries({ write: false, ...defaults })
  const { values } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(
      entries.map(([name, value]) => [name, { type: typeof value === "boolean" ? "boolean" : "string" }])
    )
  })
  const read = entries.map(([name, value]) => {
    const given = values[name] ?? value
    return [name, typeof value === "number" ? Number(given) : given]
  })
  return Object.fromEntries(read)
}

/** Each of the list so many times, in rounds that begin with another each time. */
export function* turns<A>(list: ReadonlyArray<A>, rounds: number): Generator<A> {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < list.length; i++) yield list[(i + round) % list.length]!
  }
}

/** Shows that it goes on. */
export const note = (text: string): boolean => process.stderr.write(text)

/** Middle of the values; of an even number of them, the mean of the two in the middle. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** A whole number with thin groups of thousands. */
export const count = (value: number): string => value.toLocaleString("en").replaceAll(",", " ")

/** A line that says what is and what has to be; what is missed is found by its last word. */
export const verdict = (text: string, holds: boolean): string => (holds ? text : `${text}  MISSED`)

/** Date, machine and version in a line: what a figure is worth depends on them. */
export const conditions = (): string => {
  const cpu = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpu.length} × ${cpu[0]!.model.trim()}, Node ${process.versions.node}`
}

/** Rows of which the first is the head. */
export type Table = ReadonlyArray<ReadonlyArray<string | number>>

export const markdown = ([head = [], ...rows]: Table): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

export const plain = (table: Table): string => {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  return table.map((row) => row.map((value, column) => String(value).padEnd(widths[column]!)).join("  ")).join("\n")
}

/** Prints a table with its notes, and gives both as Markdown. When something is missed, the process ends with 1. */
export const printed = (table: Table, notes: ReadonlyArray<string>): string => {
  console.log(`${plain(table)}\n\n${notes.join("\n")}`)
  if (notes.some((note) => note.includes("MISSED"))) process.exitCode = 1
  return `${markdown(table)}\n\n${notes.map((one) => `- ${one}`).join("\n")}`
}

interface Page {
  readonly about: string
  /** Of its page in docs/benchmarks. */
  readonly file: string
  readonly title: string
  readonly table: Table
  readonly notes: ReadonlyArray<string>
  /** What is not as it has to be. */
  readonly failures?: ReadonlyArray<string>
  readonly write: boolean
}

/** Prints a table with its notes; with `write` also as a page of the docs. */
export const report = ({ about, failures = [], file, notes, table, title, write }: Page): void => {
  const line = conditions()
  console.log(`${line}\n`)
  const text = printed(table, [...notes, ...failures.map((failure) => `MISSED: ${failure}`)])
  if (write) writeFileSync(join(pages, file), `# ${title}\n\n${about}\n\n${line}\n\n${text}\n`)
}
